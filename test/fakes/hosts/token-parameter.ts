import { retiredToken } from '../../../src/domain/deployment/token-retirement.ts';
import type { HostState, RegistrationState, World } from '../world/world.ts';

/** Returns the parameter with the token that a host uses, with the time of its write. */
export function tokenParameter(world: World, host: HostState) {
  const stack = world.stacks.find(({ runnerName }) => runnerName === host.runnerName);
  const name = `${stack?.parameterPrefix ?? '/'}${host.shard}/runner_token`;
  const written = world.parameters[name]?.versions.at(-1);
  return written?.value === retiredToken ? undefined : written;
}

/**
 * Returns the registration of a token. GitHub accepts older tokens until they expire, GitLab only
 * the latest.
 */
export function registrationOfToken(
  { registrations }: World,
  token: string | undefined,
): RegistrationState | undefined {
  return Object.values(registrations).find((one) =>
    [one.token, ...(one.olderTokens ?? [])].includes(token ?? ''),
  );
}
