import { retiredToken } from '../../domain/deployment/token-retirement.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log-event.ts';
import type { Parameter, StateStore } from '../../ports/state-store.ts';
import { createWhenNameIsFree, nameHeld } from './parameter-creation.ts';

/** Reads a shard's token; returns `undefined` also after the shard was removed. */
export async function findToken(
  parameters: Pick<StateStore, 'find'>,
  name: string,
): Promise<Parameter | undefined> {
  return tokenIn(await parameters.find(name));
}

/** Returns the token in a parameter that was read. */
export function tokenIn(found: Parameter | undefined): Parameter | undefined {
  return found?.value === retiredToken ? undefined : found;
}

/** Writes the token. After a shard was removed, AWS reserves the name for 30 s. */
export async function writeToken(
  {
    ports,
    log,
  }: {
    readonly ports: { readonly parameters: StateStore; readonly clock: Clock };
    readonly log: Pick<Log, 'wait'>;
  },
  name: string,
  token: string,
): Promise<void> {
  const parameter = { name, value: token, secret: true };
  const version = await createWhenNameIsFree(ports, parameter, () =>
    log.wait(nameHeld('the deleted token')),
  );
  if (version === undefined) await ports.parameters.overwrite(parameter);
}
