import type { KnownKey } from './keys/known-key.ts';
import type { LeafName, LeafValue } from './keys/leaf.ts';
import type { Entry, Layer } from './layer.ts';
import type { Place, Problem } from './problem.ts';

/** A stack's keys after all layers: checked one by one, not yet against each other. */
export interface ResolvedKeys {
  /** Undefined also for a key that was refused; its problem is told already. */
  get<Name extends LeafName>(name: Name): LeafValue<Name> | undefined;
  /** Where the value was given; of the stack itself for a built-in default. */
  placeOf(name: LeafName): Place;
  /** How strong the layer is that gave the value; 0 for a built-in default. */
  rankOf(name: LeafName): number;
  isRefused(name: LeafName): boolean;
}

export function resolveKeys({
  layer,
  leaves,
  stack,
}: {
  layer: Layer;
  leaves: readonly KnownKey[];
  stack: { readonly name: string; readonly place: Place };
}): { keys: ResolvedKeys; problems: readonly Problem[] } {
  const values = new Map<LeafName, unknown>();
  const problems: Problem[] = [];
  const refused = new Set<LeafName>();
  for (const leaf of leaves) {
    const entry = layer.get(leaf.name);
    const result = checkLeaf({ leaf, entry, stack, runners: layer.get('runners')?.value });
    if (result.kind === 'value') values.set(leaf.name, result.value);
    else {
      refused.add(leaf.name);
      problems.push(...result.problems);
    }
  }
  const keys: ResolvedKeys = {
    get: <Name extends LeafName>(name: Name) => values.get(name) as LeafValue<Name> | undefined,
    placeOf: (name) => layer.get(name)?.place ?? stack.place,
    rankOf: (name) => layer.get(name)?.rank ?? 0,
    isRefused: (name) => refused.has(name),
  };
  return { keys, problems };
}

type Checked =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

function checkLeaf({
  leaf,
  entry,
  stack,
  runners = 'gitlab',
}: {
  leaf: KnownKey;
  entry: Entry | undefined;
  stack: { readonly name: string; readonly place: Place };
  runners: unknown;
}): Checked {
  const isOthers = leaf.facts.only !== undefined && leaf.facts.only !== runners;
  if (entry === undefined && leaf.facts.required === true && !isOthers) {
    const text = `${stack.name}: ${leaf.name} is missing (${lowerFirst(leaf.facts.description)})`;
    return { kind: 'refused', problems: [{ place: stack.place, text }] };
  }
  if (entry?.value === null) {
    const text = `${leaf.name}: no value; give it one or remove the key`;
    return { kind: 'refused', problems: [{ place: entry.place, text }] };
  }
  if (entry !== undefined && isUnfilled(entry.value)) {
    const text = `${leaf.name}: still to be filled in`;
    return { kind: 'refused', problems: [{ place: entry.place, text }] };
  }
  const checked = leaf.check(entry?.value);
  if (checked.kind === 'value') return checked;
  const seen = new Set<string>();
  const problems = checked.issues.flatMap((issue) => {
    const item = issue.path[0];
    const path = issue.path.join('.');
    // Several checks of one value say the same in other words.
    if (seen.has(path)) return [];
    seen.add(path);
    const place = typeof item === 'number' ? entry?.placeOfItem?.(item) : undefined;
    const name = typeof item === 'number' ? `${leaf.name}[${item}]` : leaf.name;
    return [{ place: place ?? entry?.place ?? stack.place, text: `${name}: ${issue.message}` }];
  });
  return { kind: 'refused', problems };
}

/** What `hosted-runner init` writes where only a person knows the value. */
function isUnfilled(value: unknown): boolean {
  return [value].flat().some((item) => typeof item === 'string' && item.includes('FILL_IN'));
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '');
}

/** The value of a key that the schema or a rule guarantees. */
export function read<Name extends LeafName>(
  keys: ResolvedKeys,
  name: Name,
): NonNullable<LeafValue<Name>> {
  const value = keys.get(name);
  if (value === undefined || value === null)
    throw new Error(`${name} has no value; if it is new, run \`npm run generate\``);
  return value as NonNullable<LeafValue<Name>>;
}
