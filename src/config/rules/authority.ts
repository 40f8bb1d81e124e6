import type { KnownKey } from '../keys/known-key.ts';
import type { LeafName } from '../keys/leaf.ts';
import { type Entry, type Layer, ranks } from '../layer.ts';
import type { Problem } from '../problem.ts';
import { show } from '../show.ts';
import { readGitLabUrl } from './gitlab-address.ts';

/** Keys that say where a token is sent. */
export const addresses: readonly LeafName[] = ['gitlab.url', 'github.url'];

/**
 * What a layer says that has no say in it. Whoever starts a pipeline gives it variables, and these go
 * before everything that a repository says; so the file alone says where a token goes, and what it
 * locks is its own.
 */
export function findUsurpations({
  said,
  stronger,
  leaves,
  locked,
}: {
  /** By the CI and the file. */
  said: Layer;
  /** The environment's and the flags'. */
  stronger: readonly Layer[];
  leaves: readonly KnownKey[];
  locked: ReadonlySet<LeafName>;
}): Problem[] {
  return stronger.flatMap((layer) =>
    [...layer].flatMap(([name, entry]) => {
      const leaf = leaves.find((known) => known.name === name);
      if (leaf === undefined) return [];
      const text = refusal({ leaf, entry, known: said.get(name), isLocked: locked.has(name) });
      return text === undefined ? [] : [{ place: entry.place, text: `${name}: ${text}` }];
    }),
  );
}

/** The CI's own word, where its other words contradict it and nobody else says more. */
export function findDoubts(layer: Layer): Problem[] {
  return [...layer].flatMap(([name, { doubt, place }]) =>
    doubt === undefined ? [] : [{ place, text: `${name}: ${doubt}` }],
  );
}

function refusal({
  leaf,
  entry,
  known,
  isLocked,
}: {
  leaf: KnownKey;
  entry: Entry;
  known: Entry | undefined;
  isLocked: boolean;
}): string | undefined {
  if (isLocked && !isSame(leaf, entry, known)) {
    return 'the file locks this key; only the file gives it a value';
  }
  // What a person types leads nobody astray but them.
  if (!addresses.includes(leaf.name) || entry.rank === ranks.flag) return undefined;
  return isLoopback(entry.value) || isSame(leaf, entry, known)
    ? undefined
    : astray(leaf, entry, known);
}

function astray(leaf: KnownKey, entry: Entry, known: Entry | undefined): string | undefined {
  const checked = leaf.check(entry.value);
  // No address at all: the schema says so.
  if (checked.kind === 'refused') return undefined;
  const own = known?.value ?? readValue(leaf, undefined);
  if (own === undefined) {
    return `a variable may not say alone where the token goes; write ${leaf.name}: ${String(checked.value)} into the file`;
  }
  const who = known?.rank === ranks.ci ? 'the CI' : 'the file';
  return `a variable may not send the token elsewhere: ${who} says ${show(own)}, and this is ${show(entry.value)}`;
}

function isSame(leaf: KnownKey, entry: Entry, known: Entry | undefined): boolean {
  const given = readValue(leaf, entry.value);
  const own = readValue(leaf, known?.value);
  return given !== undefined && JSON.stringify(given) === JSON.stringify(own);
}

function readValue(leaf: KnownKey, value: unknown): unknown {
  const checked = leaf.check(value);
  return checked.kind === 'value' ? checked.value : undefined;
}

/** Where the sandbox listens. */
function isLoopback(value: unknown): boolean {
  const read = typeof value === 'string' ? readGitLabUrl(value) : undefined;
  return read?.kind === 'url' && read.isLoopback;
}
