import type { GitHubScope } from '../domain/settings.ts';
import type { RegistrationId } from '../domain/shard.ts';
import type { Clock } from '../ports/clock.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { WorkerRemoval } from '../ports/registry.ts';
import type { GitHubClient } from './client.ts';
import type { Fleets } from './fleet.ts';
import { isRunnerOf } from './runner-name.ts';
import { type GitHubRunner, listRunners, removeRunner } from './runners.ts';
import { toWorker } from './worker.ts';

/**
 * Removes every runner of the shard that runs no job. GitHub refuses a busy one, in the same step in
 * which it would take it from the list: so a success proves that its last job is over.
 * What is described of the shard goes last, so that no call forgets a runner that is left.
 */
export async function retireRunners(
  { client, scope, fleets }: { client: GitHubClient; scope: GitHubScope; fleets: Fleets },
  id: RegistrationId,
): Promise<'retired' | 'busy' | 'absent'> {
  const runners = (await listRunners(client, scope)).filter(({ name }) => isRunnerOf(name, id));
  let busy = 0;
  for (const runner of runners) {
    if ((await removeRunner(client, scope, runner.id)) === 'busy') busy += 1;
  }
  if (busy > 0) return 'busy';
  // A 404 to a DELETE may mean that we may not look: the list has the last word.
  const left = (await listRunners(client, scope)).filter(({ name }) => isRunnerOf(name, id));
  if (left.length > 0) return 'busy';
  const removed = await fleets.parameters.remove(fleets.nameOf(id));
  return runners.length === 0 && removed === 'absent' ? 'absent' : 'retired';
}

export interface RemovalRequest {
  readonly client: GitHubClient;
  readonly scope: GitHubScope;
  readonly clock: Clock;
  /** Runners that are only looked for: an ephemeral one that was busy leaves by itself. */
  readonly spare?: readonly number[];
}

/**
 * One try for each runner, and the answer to each by itself. A refusal to one says nothing of the
 * others, and neither a 403 nor a server's error is ever read as gone.
 */
export async function retireWorkers(
  request: RemovalRequest,
  id: RegistrationId,
): Promise<readonly WorkerRemoval[]> {
  const { client, scope, clock } = request;
  const runners = (await listRunners(client, scope)).filter(({ name }) => isRunnerOf(name, id));
  const removals: WorkerRemoval[] = [];
  for (const runner of runners) {
    removals.push({ worker: toWorker(runner, clock.now()), ...(await removeOne(request, runner)) });
  }
  return removals;
}

async function removeOne(
  { client, scope, spare = [] }: RemovalRequest,
  { id }: GitHubRunner,
): Promise<Pick<WorkerRemoval, 'outcome' | 'detail'>> {
  if (spare.includes(id)) return { outcome: 'spared' };
  try {
    return { outcome: await removeRunner(client, scope, id) };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { outcome: 'unknown', detail: error.message };
  }
}
