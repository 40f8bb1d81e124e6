import type { FleetText } from '../actions-runner/home.ts';
import type { Forward } from '../aws/parameters/forward.ts';
import type { Parameters } from '../aws/parameters/parameters.ts';
import type { StackShardName } from './stacks.ts';

/** A shard's own parameter, wherever Parameter Store is, and how long it has been so. */
export function parameterReader({
  prefix,
  forward,
  parameters,
  now,
}: {
  prefix: string;
  forward: Forward | undefined;
  parameters: () => Parameters;
  now: () => number;
}) {
  return async (place: StackShardName, name: string) => {
    const path = `${prefix}${place.runnerName}/${place.shard}/${name}`;
    if (forward === undefined) {
      const read = parameters().read(path);
      return { value: read.value(), ageMs: now() - read.modifiedAtMs };
    }
    const value = await forward.readSecret(path);
    return value === undefined ? undefined : { value, ageMs: 0 };
  };
}

/** As a host's start script reads what its runner is to be; nothing while the intake is closed. */
export function fleetIn(text: string | undefined): FleetText | undefined {
  if (text === undefined) return undefined;
  const { intake, ...fleet } = JSON.parse(text) as FleetText & { intake: string };
  return intake === 'closed' ? undefined : fleet;
}
