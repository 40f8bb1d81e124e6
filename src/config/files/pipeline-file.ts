import {
  Alias,
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
} from 'yaml';
import { printable } from '../../domain/text/show.ts';

/** Value of a pipeline's file with the line and column of its key. */
export interface PipelineValue {
  readonly value: unknown;
  /** `path:line:column`. */
  readonly place: string;
}

export interface PipelineFile {
  /** Content of the last document, because the first may be a header with `spec`. */
  readonly root: unknown;
  /** Line about text that is not YAML; empty if it is. */
  readonly problems: readonly string[];
  placeOf(node: unknown): string;
  /** Follows an alias to its node. */
  resolve(node: unknown): unknown;
}

/**
 * Parses a pipeline's file. Tags such as `!reference` are accepted.
 * @param version GitLab reads YAML 1.1, where `off` is false; GitHub reads YAML 1.2.
 */
export function parsePipelineFile(
  path: string,
  text: string,
  version: '1.1' | '1.2',
): PipelineFile {
  const lines = new LineCounter();
  // `prettyErrors` would repeat the line of the file, including any secret on it.
  const documents = [
    parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
      version,
    }),
  ].flat();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${printable(path)}:${line}:${col}`;
  };
  const errors = documents.flatMap((document) => document.errors);
  const last = documents.at(-1);
  return {
    root: last?.contents,
    problems: errors.slice(0, 1).map(({ pos }) => `${at(pos[0])}: not valid YAML`),
    placeOf: (node) =>
      at((node as { range?: readonly number[] } | null | undefined)?.range?.[0] ?? 0),
    resolve: (node) => (node instanceof Alias && last ? node.resolve(last as Document) : node),
  };
}

interface PipelineEntry extends PipelineValue {
  readonly name: string;
  readonly node: unknown;
}

/** Returns the entry of a mapping; undefined for another node, or without this key. */
export function entryOf(
  file: PipelineFile,
  node: unknown,
  name: string,
): PipelineEntry | undefined {
  return entriesOf(file, node).find((one) => one.name === name);
}

/** Lists the entries of a mapping with the merged ones (`<<`); empty for another node. */
export function entriesOf(file: PipelineFile, node: unknown): readonly PipelineEntry[] {
  const mapping = file.resolve(node);
  if (!isMap(mapping)) return [];
  const pairs = (mapping as YAMLMap<unknown, unknown>).items;
  const own = pairs.filter((pair) => keyOf(pair) !== '<<');
  const merged = pairs
    .filter((pair) => keyOf(pair) === '<<')
    .flatMap(({ value }) => itemsOf(file, value).flatMap((one) => entriesOf(file, one)));
  return [
    ...own.map((pair) => ({
      name: keyOf(pair),
      node: pair.value,
      value: plain(file.resolve(pair.value)),
      place: file.placeOf(pair.key),
    })),
    ...merged,
  ];
}

/** Lists the items of a list; a single value is a list of one. */
export function itemsOf(file: PipelineFile, node: unknown): readonly unknown[] {
  const list = file.resolve(node);
  if (list === undefined || list === null) return [];
  return isSeq(list) ? list.items : [list];
}

function keyOf({ key }: Pair<unknown, unknown>): string {
  return isScalar(key) ? (key.source ?? String(key.value)) : '';
}

/** Converts a node without expanding aliases, which may exceed the memory. */
function plain(node: unknown): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(plain);
  if (isMap(node))
    return Object.fromEntries(
      (node as YAMLMap<unknown, unknown>).items.map((pair) => [keyOf(pair), plain(pair.value)]),
    );
  return undefined;
}
