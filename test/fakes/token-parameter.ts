import type { HostState, World } from './world.ts';

/** The token that a host reads, with the moment when it was written. */
export function tokenParameter(world: World, host: HostState) {
  const stack = world.stacks.find(({ runnerName }) => runnerName === host.runnerName);
  const name = `${stack?.parameterPrefix ?? '/'}${host.shard}/runner_token`;
  return world.parameters[name]?.versions.at(-1);
}
