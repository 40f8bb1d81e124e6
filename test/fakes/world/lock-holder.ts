import type { StackSettings } from '../../../src/domain/settings.ts';
import { parametersOf } from './shards.ts';
import type { World } from './world.ts';

export interface LockHolder {
  readonly nonce: string;
  readonly deployment: string;
}

interface Written {
  readonly entry?: string;
  readonly log?: string;
  readonly nonce?: string;
  readonly from?: string;
  readonly deployment?: string;
  readonly owner?: { readonly deployment: string };
}

/**
 * Returns the lock's owner according to all entries ever written, independently of the product's
 * code.
 */
export function lockHolder(world: World, stack: StackSettings): LockHolder | undefined {
  const versions = world.parameters[parametersOf(stack).lock]?.versions ?? [];
  const texts = versions.map(({ value }) => parse(value));
  const log = texts[0]?.nonce;
  const spent = new Set<string | undefined>();
  let holder: LockHolder | undefined;
  for (const text of texts) {
    if (text === undefined) {
      holder = { nonce: 'illegible', deployment: 'illegible' };
      continue;
    }
    const { entry = 'acquire', nonce = '', from } = text;
    const isSameLog = text.log === undefined || text.log === log;
    const isFromHolder = from === holder?.nonce;
    const takes = entry === 'acquire' ? holder === undefined : entry === 'takeover' && isFromHolder;
    if (isSameLog && entry === 'release' && isFromHolder) holder = undefined;
    else if (isSameLog && takes && !spent.has(nonce))
      holder = { nonce, deployment: text.owner?.deployment ?? text.deployment ?? '' };
    spent.add(nonce).add(from);
  }
  return holder;
}

/** Returns the lock entry of another run that takes the lock over, or finds it free. */
export function entryOfThief(
  world: World,
  stack: StackSettings,
  owner: { deployment: string; job: string; since: string; process: string },
): string {
  const versions = world.parameters[parametersOf(stack).lock]?.versions ?? [];
  const newest = versions.at(-1);
  const nonce = `${owner.process} ${versions.length}`;
  const log = parse(versions[0]?.value ?? '')?.nonce ?? nonce;
  const holder = lockHolder(world, stack);
  const seen = {
    version: newest?.version ?? 0,
    last: parse(newest?.value ?? '')?.nonce ?? '',
    owner: holder === undefined ? null : { nonce: holder.nonce, owner: null },
    record: 0,
  };
  const entry =
    holder === undefined ? { entry: 'acquire' } : { entry: 'takeover', from: holder.nonce };
  return JSON.stringify({ ...entry, log, nonce, owner, seen });
}

function parse(text: string): Written | undefined {
  try {
    return JSON.parse(text) as Written;
  } catch {
    return undefined;
  }
}
