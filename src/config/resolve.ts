import { readGitLabUrl } from '../domain/keys/gitlab-url.ts';
import {
  type KeyName,
  type KeyValue,
  keyTable,
  type NamedKey,
  readKey,
} from '../domain/keys/key-table.ts';
import type { Entry, Layer } from './layers/layer.ts';
import type { Environment } from './layers/overrides.ts';
import { isPlaceholder } from './placeholder-values.ts';
import type { Place, Problem } from './problem.ts';

/** Keys of a stack after all layers: checked one by one, not yet against each other. */
export interface ResolvedKeys {
  /** Returns a value; undefined also for a refused key, whose problem is already reported. */
  get<Name extends KeyName>(name: Name): KeyValue<Name> | undefined;
  /** Returns the place of a value; for a built-in default, the place of the stack. */
  placeOf(name: KeyName): Place;
  /** Returns the rank of the value's layer; 0 for a built-in default. */
  rankOf(name: KeyName): number;
  isRefused(name: KeyName): boolean;
  /**
   * Whether the value applies. A weaker layer's value for another kind is ignored, not a
   * contradiction.
   */
  isMeant(name: KeyName, chooser: KeyName): boolean;
  /** Creates a problem of keys that are valid individually. */
  problem(name: KeyName, text: string): Problem;
}

export function resolveKeys({
  layer,
  stack,
  environment,
}: {
  layer: Layer;
  stack: { readonly name: string; readonly place: Place };
  environment: Environment;
}): { keys: ResolvedKeys; problems: readonly Problem[] } {
  const values = new Map<KeyName, unknown>();
  const problems: Problem[] = [];
  const refused = new Set<KeyName>();
  for (const one of keyTable) {
    const entry = layer.get(one.name);
    const runners = layer.get('runners')?.value;
    const result = check({ one, entry, stack, runners, environment });
    if (result.kind === 'value') values.set(one.name, result.value);
    else {
      refused.add(one.name);
      problems.push(...result.problems);
    }
  }
  const placeOf = (name: KeyName) => layer.get(name)?.place ?? stack.place;
  const rankOf = (name: KeyName) => layer.get(name)?.rank ?? 0;
  const keys: ResolvedKeys = {
    get: <Name extends KeyName>(name: Name) => values.get(name) as KeyValue<Name> | undefined,
    placeOf,
    rankOf,
    isRefused: (name) => refused.has(name),
    isMeant: (name, chooser) => rankOf(name) >= rankOf(chooser),
    problem: (name, text) => ({ place: placeOf(name), text: `${name}: ${text}` }),
  };
  return { keys, problems };
}

type Checked =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

function check({
  one,
  entry,
  stack,
  runners = 'gitlab',
  environment,
}: {
  one: NamedKey;
  entry: Entry | undefined;
  stack: { readonly name: string; readonly place: Place };
  runners: unknown;
  environment: Environment;
}): Checked {
  const isOthers = one.only !== undefined && one.only !== runners;
  if (entry === undefined && one.required === true && !isOthers) {
    const text = `${stack.name}: ${one.name} is missing (${lowerFirst(one.description)})${proposeAddress(one.name, environment)}`;
    return { kind: 'refused', problems: [{ place: stack.place, text }] };
  }
  if (entry?.value === null) {
    const text = `${one.name}: no value; set one or remove the key`;
    return { kind: 'refused', problems: [{ place: entry.place, text }] };
  }
  if (entry !== undefined && isPlaceholder(entry.value)) {
    const text = `${one.name}: replace FILL_IN by a value`;
    return { kind: 'refused', problems: placeholdersOf(entry).map((place) => ({ place, text })) };
  }
  const checked = readKey(one, entry?.value);
  if (checked.kind === 'value') return checked;
  const problems = checked.issues.map(({ item, message }) => {
    const place = item === undefined ? undefined : entry?.placeOfItem?.(item);
    const name = item === undefined ? one.name : `${one.name}[${item}]`;
    const hint = isVariable(entry?.value)
      ? `; variables are not expanded here, set ${one.variable}`
      : '';
    return { place: place ?? entry?.place ?? stack.place, text: `${name}: ${message}${hint}` };
  });
  return { kind: 'refused', problems };
}

/** Lists the places of the values to fill in: of a list, each such item. */
function placeholdersOf({ value, place, placeOfItem }: Entry): readonly Place[] {
  if (!Array.isArray(value)) return [place];
  return value.flatMap((item, index) =>
    isPlaceholder(item) ? [placeOfItem?.(index) ?? place] : [],
  );
}

/**
 * Returns whether the value is `$GITLAB_URL` or `${GITLAB_URL}`, which a shell or a template would
 * fill in.
 */
function isVariable(value: unknown): boolean {
  return typeof value === 'string' && /^\$(?:\w+|\{\w+\})$/.test(value);
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '');
}

/** Returns a value that a default or a rule guarantees. */
export function readKnownKey<Name extends KeyName>(
  keys: ResolvedKeys,
  name: Name,
): NonNullable<KeyValue<Name>> {
  const value = keys.get(name);
  if (value === undefined || value === null)
    throw new Error(`${name} has no value, and no default`);
  return value as NonNullable<KeyValue<Name>>;
}

/**
 * Formats the line to write if `gitlab.url` is missing. The address is only printed: a pipeline's
 * variables take precedence over all of GitLab's own, so no variable decides where the token is
 * sent (decision 16). https://docs.gitlab.com/ci/variables/#cicd-variable-precedence
 */
function proposeAddress(name: KeyName, environment: Environment): string {
  const read = readGitLabUrl(environment['CI_SERVER_URL'] ?? '');
  if (name !== 'gitlab.url' || read.kind === 'refused') return '';
  return `; if this pipeline's GitLab is ${read.url} (CI_SERVER_URL), write gitlab.url: ${read.url} into the file`;
}
