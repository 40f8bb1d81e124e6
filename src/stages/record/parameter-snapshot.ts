import type { Clock } from '../../ports/clock.ts';
import type { Parameter, StateStore } from '../../ports/state-store.ts';

/** Time for consecutive checks without a slow call to another system between them. */
const currentForMs = 1000;

interface Reader {
  readonly parameters: Pick<StateStore, 'find'>;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** Several parameters from one read. */
export type ParameterSnapshot = ReadonlyMap<string, ParameterRead>;

/** `at`: monotonic time of the response. */
type ParameterRead = { readonly at: number } & (
  | { readonly kind: 'read'; readonly found: Parameter | undefined }
  | { readonly kind: 'unknown'; readonly error: unknown }
);

/** Reads the parameters in one call if the store can. */
export async function readParameters(
  { parameters, clock }: Reader,
  names: readonly string[],
): Promise<ParameterSnapshot> {
  const reads = names.map(async (name): Promise<readonly [string, ParameterRead]> => {
    try {
      const found = await parameters.find(name);
      return [name, { kind: 'read', found, at: clock.elapsed() }];
    } catch (error) {
      return [name, { kind: 'unknown', error, at: clock.elapsed() }];
    }
  });
  return new Map(await Promise.all(reads));
}

/**
 * Returns a parameter as the snapshot shows it, and reads it if the snapshot does not contain it or
 * is older than a second.
 */
export async function findInSnapshot(
  { parameters, clock }: Reader,
  name: string,
  snapshot?: ParameterSnapshot,
): Promise<Parameter | undefined> {
  const read = snapshot?.get(name);
  if (read === undefined || clock.elapsed() - read.at > currentForMs) return parameters.find(name);
  if (read.kind === 'unknown') throw read.error;
  return read.found;
}
