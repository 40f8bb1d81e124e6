import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { type KeyName, type KeyTree, keyTree } from '../../domain/keys/key-table.ts';
import { show } from '../../domain/text/show.ts';
import { didYouMean } from '../../domain/text/suggestion.ts';
import type { Place, Problem } from '../problem.ts';
import { keyGivenTwice, keyText, type SourceDocument } from './document.ts';
import type { Entry, Layer } from './layer.ts';

/** Reads one mapping of the file as a layer; an unknown key becomes a problem. */
export function readLayer({
  source,
  node,
  where,
  rank,
}: {
  source: SourceDocument;
  node: unknown;
  where: string;
  rank: number;
}): { layer: Layer; problems: readonly Problem[] } {
  const layer = new Map<KeyName, Entry>();
  const problems: Problem[] = [];
  const walk = (known: KeyTree, mapping: unknown, path: readonly string[]) => {
    for (const pair of readPairs({
      source,
      mapping,
      where: [where, ...path].join('.'),
      problems,
    })) {
      const { name, place, value } = pair;
      const found = known.get(name);
      if (found === undefined) {
        problems.push({ place, text: unknownKey({ name, path: [where, ...path], known }) });
      } else if (!('accepts' in found)) walk(found, value, [...path, name]);
      else {
        if (found.accepts.type !== 'number')
          problems.push(...findOtherNumbers({ source, value, name: found.name }));
        const read = readValue({ source, value, place, problems });
        layer.set(found.name, { ...read, rank });
      }
    }
  };
  walk(keyTree, node, []);
  return { layer, problems };
}

interface NamedPair {
  readonly name: string;
  /** Place of the key. */
  readonly place: Place;
  readonly value: unknown;
}

/** Reads the pairs of a mapping. A section without content is empty: its keys may be comments. */
export function readPairs({
  source,
  mapping,
  where,
  problems,
}: {
  source: SourceDocument;
  mapping: unknown;
  where: string;
  problems: Problem[];
}): NamedPair[] {
  const node = source.resolve(mapping);
  if (node === null || node === undefined || (isScalar(node) && node.value === null)) return [];
  if (!isMap(node)) {
    // A list is not expanded: its aliases may exceed the memory.
    const found = show(isScalar(node) ? node.value : []);
    problems.push({
      place: source.placeOf(mapping),
      text: `${where}: expected keys, found ${found}`,
    });
    return [];
  }
  const names = new Set<string>();
  return (node as YAMLMap<unknown, unknown>).items.flatMap(({ key, value }) => {
    const [name, place] = [keyText(source.resolve(key)), source.placeOf(key)];
    if (name === undefined) {
      problems.push({ place, text: `${where}: a key must be a word` });
      return [];
    }
    // In YAML, a number and its quoted form are two keys.
    if (names.has(name)) problems.push({ place, text: keyGivenTwice });
    names.add(name);
    return [{ name, place, value }];
  });
}

/**
 * Finds numbers such as `007` in the place of a text. Later problems must not mention 7, which YAML
 * makes of it.
 */
function findOtherNumbers({
  source,
  value,
  name,
}: {
  source: SourceDocument;
  value: unknown;
  name: KeyName;
}): Problem[] {
  const node = source.resolve(value);
  const items = isSeq(node) ? node.items : [node];
  return items.flatMap((item, index) => {
    const one = source.resolve(item);
    if (!isScalar(one) || typeof one.value !== 'number') return [];
    const [typed, read] = [one.source ?? '', String(one.value)];
    if (typed === read) return [];
    // Later checks see the typed text.
    one.value = typed;
    const where = isSeq(node) ? `${name}[${index}]` : name;
    const text = `${where}: ${show(typed).slice(1, -1)} is a number in YAML and would be read as ${read}; quote it to keep the text: ${show(typed)}`;
    return [{ place: source.placeOf(isSeq(node) ? item : value), text }];
  });
}

function readValue({
  source,
  value,
  place,
  problems,
}: {
  source: SourceDocument;
  value: unknown;
  place: Place;
  problems: Problem[];
}): Omit<Entry, 'rank'> {
  const node = source.resolve(value) as Node | null | undefined;
  if (node === null || node === undefined) return { value: null, place };
  const items = isSeq(node) ? node.items : [];
  const placeOfItem = (index: number) => source.placeOf(items[index] ?? value);
  try {
    const plain: unknown = node.toJS(source.document, { maxAliasCount: 100 });
    return { value: plain, place: source.placeOf(value), placeOfItem };
  } catch (error) {
    if (error instanceof ReferenceError)
      problems.push({ place, text: 'its aliases expand to too many values' });
    else if (error instanceof RangeError)
      problems.push({ place, text: 'the value is nested too deeply' });
    else throw error;
    return { value: null, place };
  }
}

function unknownKey({
  name,
  path,
  known,
}: {
  name: string;
  path: readonly string[];
  known: KeyTree;
}): string {
  const start = `${path.join('.')}: unknown key ${show(name)}`;
  if (name === '<<') return `${start}; merge keys are not supported, use defaults`;
  if (/token|secret|password/i.test(name)) {
    return `${start}; put secrets only into the environment`;
  }
  return `${start}${didYouMean(name, [...known.keys()])}`;
}
