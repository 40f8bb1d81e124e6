import { z } from 'zod';
import type { GitHubScope } from '../../../domain/settings.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Worker } from '../../../ports/registry.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import { readShape, unexpected } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitHubClient } from '../github-client.ts';
import { originOf } from '../origin.ts';
import { hostOf, runnersPath } from './scope.ts';

const label = z.object({ name: printableName, type: z.string().nullish() });

export const runner = z.object({
  id: z.number().int().positive(),
  name: printableName,
  status: printableName,
  busy: z.boolean(),
  labels: z.array(label),
  ephemeral: z.boolean().nullish(),
  version: printableName.nullish(),
  runner_group_id: z.number().int().nullish(),
});

/** https://docs.github.com/rest/actions/self-hosted-runners */
export type GitHubRunner = z.output<typeof runner>;

export const page = z.object({
  total_count: z.number().int().nonnegative(),
  runners: z.array(runner),
});

export const registrationToken = z.object({ token: z.string().min(8) });

const perPage = 100;
const maxPages = 100;
const readings = 6;
const pauseMs = 500;

/**
 * Lists all runners of the scope, or rejects. A list may change while its pages are read. If a
 * runner leaves after page 1, another runner takes its place and is missed, although the list seems
 * complete. A list of several pages therefore counts only if two reads agree.
 */
export async function listRunners(
  { clock, ...client }: GitHubClient,
  scope: GitHubScope,
): Promise<readonly GitHubRunner[]> {
  let before = '';
  return pollUntil({ clock, cadence: { pollMs: pauseMs } }, async (reading) => {
    const { runners, total, pages, origin } = await readPages(client, scope);
    const ids = new Set(runners.map(({ id }) => id));
    const isWhole = ids.size === runners.length && ids.size === total;
    const now = [...ids].sort((one, other) => one - other).join();
    if (isWhole && (pages === 1 || now === before)) return done(runners);
    before = now;
    if (reading < readings) return pending();
    const detail = `the list is incomplete: ${ids.size} runners were listed, ${total} were counted, and no two of ${readings} reads agree`;
    throw unexpected(detail, origin);
  });
}

async function readPages(client: Omit<GitHubClient, 'clock'>, scope: GitHubScope) {
  const runners: GitHubRunner[] = [];
  for (let number = 1; ; number += 1) {
    const answer = await client.request(`GET ${runnersPath(scope)}`, {
      per_page: perPage,
      page: number,
    });
    const origin = originOf(client, answer);
    const read = readShape(page, answer.data, origin);
    runners.push(...read.runners);
    const isLast = read.runners.length < perPage || runners.length >= read.total_count;
    if (isLast || number === maxPages)
      return { runners, total: read.total_count, pages: number, origin };
  }
}

/**
 * Removes a runner. `removed` proves nothing about its job: GitHub also removes a busy runner. Its
 * listener then cancels the job (actions/runner v2.336.0, Runner.cs: `RunnerNotFoundException` ends
 * the loop, `JobDispatcher.ShutdownAsync` cancels). `absent` is GitHub's 404. A token without
 * permission gets the same response, so the caller must have listed the runner before.
 */
export async function removeRunner(
  client: GitHubClient,
  scope: GitHubScope,
  id: number,
): Promise<'removed' | 'busy' | 'absent'> {
  try {
    await client.request(`DELETE ${runnersPath(scope)}/{runner_id}`, { runner_id: id });
    return 'removed';
  } catch (error) {
    if (isRefusal(error, 404)) return 'absent';
    if (isRefusal(error, 422) && /still running a job|currently running/i.test(error.detail)) {
      return 'busy';
    }
    throw error;
  }
}

/**
 * Replaces the custom labels. Labels that the runner set itself (`self-hosted`, `linux`) remain.
 */
export async function setLabels(
  client: GitHubClient,
  scope: GitHubScope,
  { id, labels }: { id: number; labels: readonly string[] },
): Promise<void> {
  await client.request(`PUT ${runnersPath(scope)}/{runner_id}/labels`, {
    runner_id: id,
    labels: [...labels],
  });
}

/** Creates a token that registers any number of runners for one hour. */
export async function createRegistrationToken(
  client: GitHubClient,
  scope: GitHubScope,
): Promise<string> {
  const answer = await client.request(`POST ${runnersPath(scope)}/registration-token`);
  const origin = originOf(client, answer);
  const { token } = readShape(registrationToken, answer.data, origin);
  client.redactor.add(token);
  return token;
}

/** Converts a runner into a worker of its shard. */
export function toWorker(runner: GitHubRunner, nowMs: number): Worker {
  const { id, name, version, status, busy, ephemeral } = runner;
  const now = new Date(nowMs).toISOString();
  const hostId = hostOf(name);
  return {
    id,
    systemId: name,
    version: version ?? '',
    createdAt: now,
    execution: busy ? 'active' : 'idle',
    ...(typeof ephemeral !== 'boolean' ? {} : { ephemeral }),
    ...(hostId === undefined ? {} : { hostId }),
    // GitHub reports no time of contact, only that the connection is open.
    ...(status === 'online' ? { contactedAt: now } : {}),
  };
}
