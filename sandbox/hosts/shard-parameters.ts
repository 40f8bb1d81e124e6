import type { FleetText } from '../actions-runner/home.ts';
import type { Forward } from '../aws/parameters/forward.ts';
import type { Parameters } from '../aws/parameters/parameters.ts';
import type { StackShardName } from './stacks.ts';

/**
 * Creates a reader of a shard's parameter, wherever Parameter Store is, with the age of the value.
 */
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

/** Parses the fleet like a host's start script. Undefined while the fleet is paused. */
export function fleetIn(text: string | undefined): FleetText | undefined {
  if (text === undefined) return undefined;
  const { intake, ...fleet } = JSON.parse(text) as FleetText & { intake: string };
  return intake === 'closed' ? undefined : fleet;
}
