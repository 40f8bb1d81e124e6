import { readGitLabUrl } from '../../domain/keys/gitlab-url.ts';
import { type KeyName, keyTable, type NamedKey, readKey } from '../../domain/keys/key-table.ts';
import { show } from '../../domain/text/show.ts';
import { type Entry, type Layer, ranks } from '../layers/layer.ts';
import type { Problem } from '../problem.ts';

/** Keys that say where a token is sent. */
export const addresses: readonly KeyName[] = [
  'gitlab.url',
  'github.url',
  'bake.signals.prometheus',
  'bake.signals.webhook.url',
];

/**
 * What a layer says that has no say in it. Whoever starts a pipeline gives it variables, and these go
 * before everything that a repository says; so the file alone says where a token goes, and what it
 * locks is its own.
 */
export function findUsurpations({
  merged,
  stronger,
  locked,
}: {
  /** By the file. */
  merged: Layer;
  /** The environment's and the flags'. */
  stronger: readonly Layer[];
  locked: ReadonlySet<KeyName>;
}): Problem[] {
  return stronger.flatMap((layer) =>
    [...layer].flatMap(([name, entry]) => {
      const one = keyTable.find((each) => each.name === name);
      if (one === undefined) return [];
      const text = refusal({ one, entry, known: merged.get(name), isLocked: locked.has(name) });
      return text === undefined ? [] : [{ place: entry.place, text: `${name}: ${text}` }];
    }),
  );
}

function refusal({
  one,
  entry,
  known,
  isLocked,
}: {
  one: NamedKey;
  entry: Entry;
  known: Entry | undefined;
  isLocked: boolean;
}): string | undefined {
  if (isLocked && !isSame(one, entry, known)) {
    return 'the file locks this key; only the file gives it a value';
  }
  // What a person types leads nobody astray but them.
  if (!addresses.includes(one.name) || entry.rank === ranks.flag) return undefined;
  return isLoopback(entry.value) || isSame(one, entry, known)
    ? undefined
    : astray(one, entry, known);
}

function astray(one: NamedKey, entry: Entry, known: Entry | undefined): string | undefined {
  const checked = readKey(one, entry.value);
  // No address at all: the key says so.
  if (checked.kind === 'refused') return undefined;
  if (typeof checked.value !== 'string') {
    return `a variable may not say where a token goes; write ${one.name} into the file`;
  }
  const own = known?.value ?? one.default;
  if (own === undefined) {
    return `a variable may not say alone where the token goes; write ${one.name}: ${String(checked.value)} into the file`;
  }
  return `a variable may not send the token elsewhere: the file says ${show(own)}, and this is ${show(entry.value)}`;
}

function isSame(one: NamedKey, entry: Entry, known: Entry | undefined): boolean {
  const [given, own] = [readKey(one, entry.value), readKey(one, known?.value)];
  return given.kind === 'value' && JSON.stringify(given) === JSON.stringify(own);
}

/** Where the sandbox listens. */
function isLoopback(value: unknown): boolean {
  const read = typeof value === 'string' ? readGitLabUrl(value) : undefined;
  return read?.kind === 'url' && read.isLoopback;
}
