import type { GitHubScope } from '../../../domain/settings.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { WorkerRemoval } from '../../../ports/registry.ts';
import type { GitHubClient } from '../github-client.ts';
import type { Fleets } from './fleet.ts';
import { type GitHubRunner, listRunners, removeRunner, toWorker } from './runners.ts';
import { isRunnerOf } from './scope.ts';

/** Removes a shard's fleet, after all its runners are gone. */
export async function retireFleet(
  { client, scope, fleets }: { client: GitHubClient; scope: GitHubScope; fleets: Fleets },
  id: RegistrationId,
): Promise<'retired' | 'busy' | 'absent'> {
  const left = (await listRunners(client, scope)).filter(({ name }) => isRunnerOf(name, id));
  if (left.length > 0) return 'busy';
  return (await fleets.remove(id)) === 'absent' ? 'absent' : 'retired';
}

export interface RemovalRequest {
  readonly client: GitHubClient;
  readonly scope: GitHubScope;
  readonly clock: Clock;
  /** Ids of the runners to remove. The shard's other runners are not affected. */
  readonly workers: readonly number[];
}

/**
 * Removes each runner with one attempt and returns a result for each. A failure of one proves
 * nothing about the others. Neither 403 nor a server error counts as removed.
 */
export async function retireWorkers(
  { client, scope, clock, workers }: RemovalRequest,
  id: RegistrationId,
): Promise<readonly WorkerRemoval[]> {
  const runners = (await listRunners(client, scope)).filter(
    (runner) => isRunnerOf(runner.name, id) && workers.includes(runner.id),
  );
  const removals: WorkerRemoval[] = [];
  for (const runner of runners) {
    const answer = await removeOne({ client, scope }, runner);
    removals.push({ worker: toWorker(runner, clock.now()), ...answer });
  }
  return removals;
}

async function removeOne(
  { client, scope }: Pick<RemovalRequest, 'client' | 'scope'>,
  { id }: GitHubRunner,
): Promise<Pick<WorkerRemoval, 'outcome' | 'detail'>> {
  try {
    return { outcome: await removeRunner(client, scope, id) };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { outcome: 'unknown', detail: error.message };
  }
}
