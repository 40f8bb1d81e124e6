import { retiredToken } from '../../../src/domain/deployment/token-retirement.ts';
import type { HostState, RegistrationState, World } from '../world/world.ts';

/** The token that a host takes for one, with the moment when it was written. */
export function tokenParameter(world: World, host: HostState) {
  const stack = world.stacks.find(({ runnerName }) => runnerName === host.runnerName);
  const name = `${stack?.parameterPrefix ?? '/'}${host.shard}/runner_token`;
  const written = world.parameters[name]?.versions.at(-1);
  return written?.value === retiredToken ? undefined : written;
}

/** GitHub goes on taking an older token until it ends; GitLab's is the last one. */
export function registrationOfToken(
  { registrations }: World,
  token: string | undefined,
): RegistrationState | undefined {
  return Object.values(registrations).find((one) =>
    [one.token, ...(one.olderTokens ?? [])].includes(token ?? ''),
  );
}
