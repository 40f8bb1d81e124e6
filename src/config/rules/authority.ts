import { readGitLabUrl } from '../../domain/keys/gitlab-url.ts';
import { type KeyName, keyTable, type NamedKey, readKey } from '../../domain/keys/key-table.ts';
import { show } from '../../domain/text/show.ts';
import { type Entry, type Layer, ranks } from '../layers/layer.ts';
import type { Problem } from '../problem.ts';

/** Keys that decide where a token is sent. */
export const addresses: readonly KeyName[] = [
  'gitlab.url',
  'github.url',
  'bake.signals.prometheus',
  'bake.signals.webhook.url',
];

/**
 * Finds values from layers that may not set them. An actor who starts a pipeline chooses its
 * variables, which take precedence over the repository. Only the file therefore decides where a
 * token is sent, and only the file sets the keys that it locks.
 */
export function findUsurpations({
  merged,
  stronger,
  locked,
}: {
  /** Layer of the file. */
  merged: Layer;
  /** Layers of the environment and the flags. */
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
    return 'the file locks this key, so only the file can set it';
  }
  // A typed address affects only the operator's own command.
  if (!addresses.includes(one.name) || entry.rank === ranks.flag) return undefined;
  return isLoopback(entry.value) || isSame(one, entry, known)
    ? undefined
    : astray(one, entry, known);
}

function astray(one: NamedKey, entry: Entry, known: Entry | undefined): string | undefined {
  const checked = readKey(one, entry.value);
  // Not an address at all: the key reports it.
  if (checked.kind === 'refused') return undefined;
  if (typeof checked.value !== 'string') {
    return `a variable may not choose where a token is sent; set ${one.name} in the file`;
  }
  const own = known?.value ?? one.default;
  if (own === undefined) {
    return `a variable alone may not choose where the token is sent; write ${one.name}: ${String(checked.value)} into the file`;
  }
  return `a variable may not send the token to another address: the file has ${show(own)}, the variable ${show(entry.value)}`;
}

function isSame(one: NamedKey, entry: Entry, known: Entry | undefined): boolean {
  const [given, own] = [readKey(one, entry.value), readKey(one, known?.value)];
  return given.kind === 'value' && JSON.stringify(given) === JSON.stringify(own);
}

/** Returns whether it is an address of this machine, as the sandbox has. */
function isLoopback(value: unknown): boolean {
  const read = typeof value === 'string' ? readGitLabUrl(value) : undefined;
  return read?.kind === 'url' && read.isLoopback;
}
