import type { GitHubScope } from '../domain/settings.ts';
import type { RegistrationId } from '../domain/shard.ts';
import type { GitHubClient } from './client.ts';
import type { Fleets } from './fleet.ts';
import { isRunnerOf } from './runner-name.ts';
import { listRunners, removeRunner } from './runners.ts';

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
