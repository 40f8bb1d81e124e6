import { retiredToken } from '../../domain/deployment/retired-token.ts';
import type { Parameter, StateStore } from '../../ports/state-store.ts';

/** A shard's token; `undefined` also where that of a removed shard stood. */
export async function findToken(
  parameters: Pick<StateStore, 'find'>,
  name: string,
): Promise<Parameter | undefined> {
  const found = await parameters.find(name);
  return found?.value === retiredToken ? undefined : found;
}
