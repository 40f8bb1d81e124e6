import { z } from 'zod';
import type { RegistrationSettings } from '../../../domain/settings.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import { shardDescription } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type {
  NewRegistration,
  NewToken,
  RefusedWrite,
  Routing,
  WriteRefusal,
} from '../../../ports/registry.ts';
import { settleLost } from '../../transport/answers/answer-loss.ts';
import { readShape, unexpected } from '../../transport/answers/shape.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { findRunner, type RunnerScope } from '../jobs/visibility.ts';
import { removeFromProjects } from './assignments.ts';
import { editedRunner, numberOf, readDetails } from './rest-runner.ts';

const token = z.string().min(8);
// An unreadable time must not lose the token.
const ending = z.string().nullish().catch(undefined);
export const created = z.object({
  id: z.coerce.number().int().positive(),
  token,
  token_expires_at: ending,
});
export const renewed = z.object({ token, token_expires_at: ending });

/**
 * Creates a runner. If the response is lost, its token is lost permanently, and the caller finds
 * the runner with `findByShard`.
 */
export async function createRegistration(
  client: GitLabClient,
  { shard, settings, tags, note }: NewRegistration,
): Promise<{ id: RegistrationId } & NewToken> {
  const owner = ownerOf(settings.scope);
  const body = await client.users.createCIRunner(owner.type, {
    ...owner.ids,
    description: shardDescription(shard),
    maintenanceNote: note,
    paused: false,
    // A locked runner cannot be assigned to more projects, so project runners are locked last.
    locked: settings.scope.kind !== 'project' && settings.locked,
    accessLevel: settings.accessLevel,
    runUntagged: false,
    tagList: [...tags],
    ...(settings.maximumTimeoutSeconds === undefined
      ? {}
      : { maximumTimeout: settings.maximumTimeoutSeconds }),
  });
  const registration = readShape(created, body, written(client, 'POST /user/runners'));
  client.redactor.add(registration.token);
  return { id: String(registration.id) as RegistrationId, ...toNewToken(registration) };
}

function ownerOf(scope: RegistrationSettings['scope']) {
  switch (scope.kind) {
    case 'instance':
      return { type: 'instance_type', ids: {} } as const;
    case 'group':
      return { type: 'group_type', ids: { groupId: scope.groupId } } as const;
    case 'project':
      return { type: 'project_type', ids: { projectId: scope.projectId } } as const;
  }
}

export function route(client: GitLabClient, id: RegistrationId, routing: Routing): Promise<void> {
  return edit(client, id, {
    // The whole list is replaced.
    change: { tagList: [...routing.tags], runUntagged: routing.runUntagged },
    isDone: (details) =>
      details.run_untagged === routing.runUntagged && sameTags(details.tag_list, routing.tags),
  });
}

export function setIntake(
  client: GitLabClient,
  id: RegistrationId,
  intake: 'open' | 'closed',
  note?: string,
): Promise<void> {
  const paused = intake === 'closed';
  return edit(client, id, {
    change: { paused, ...(note === undefined ? {} : { maintenanceNote: note }) },
    isDone: (details) => details.paused === paused,
  });
}

async function edit(
  client: GitLabClient,
  id: RegistrationId,
  wanted: {
    change: {
      tagList?: string[];
      runUntagged?: boolean;
      paused?: boolean;
      maintenanceNote?: string;
    };
    isDone(details: z.infer<typeof editedRunner>): boolean;
  },
): Promise<void> {
  const origin = written(client, `PUT /runners/${id}`);
  const details = await settleLost<z.infer<typeof editedRunner>>(
    async () =>
      readShape(editedRunner, await client.runners.edit(numberOf(id), wanted.change), origin),
    async () => {
      const now = await readDetails(client, id);
      return wanted.isDone(now) ? now : undefined;
    },
  );
  if (!wanted.isDone(details)) {
    throw unexpected('GitLab reported success, but the runner lacks the change', origin);
  }
}

/**
 * Sends a change without content. GitLab refuses it with 400, or in maintenance mode like every
 * other write.
 */
export async function probeWrites(client: GitLabClient, id: RegistrationId): Promise<WriteRefusal> {
  try {
    await client.raw.put(`runners/${numberOf(id)}`);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (error.kind === 'read_only') return { kind: 'refused', detail: error.detail };
  }
  return { kind: 'unknown' };
}

export function lastRefusal(client: GitLabClient): RefusedWrite | undefined {
  const met = client.readOnlyMet();
  return met === undefined ? undefined : { detail: met.detail, agoMs: met.agoMs() };
}

export async function retire(
  client: GitLabClient,
  scope: RunnerScope,
  id: RegistrationId,
): Promise<'retired' | 'absent'> {
  const removed = await settleLost(
    () =>
      findRunner(client, scope, async () => {
        if (scope.kind === 'project') await removeFromProjects(client, scope, id);
        else await client.runners.remove({ runnerId: numberOf(id) });
      }),
    async () => {
      const now = await findRunner(client, scope, () => readDetails(client, id));
      return now.kind === 'absent' ? ({ kind: 'found', value: undefined } as const) : undefined;
    },
  );
  if (removed.kind === 'found') return 'retired';
  // A 404 to DELETE may come from a proxy or a missing role. A runner that GitLab still returns is
  // not gone.
  const shown = await findRunner(client, scope, () => readDetails(client, id));
  if (shown.kind === 'absent') return 'absent';
  throw unexpected(
    'GitLab reports that the runner does not exist, but still lists it',
    written(client, `DELETE /runners/${id}`),
  );
}

export async function resetToken(client: GitLabClient, id: RegistrationId): Promise<NewToken> {
  const endpoint = `runners/${numberOf(id)}/reset_authentication_token`;
  const { body } = await client.raw.post(endpoint);
  const reset = readShape(renewed, body, written(client, `POST /${endpoint}`));
  client.redactor.add(reset.token);
  return toNewToken(reset);
}

function toNewToken({ token, token_expires_at: at }: z.infer<typeof renewed>): NewToken {
  return { token, ...(at ? { expiresAt: at } : {}) };
}

function written(client: GitLabClient, call: string) {
  return { source: `GitLab ${call}`, effect: 'unknown', redactor: client.redactor } as const;
}

function sameTags(one: readonly string[], other: readonly string[]): boolean {
  const set = new Set(one);
  return set.size === new Set(other).size && other.every((tag) => set.has(tag));
}
