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

export interface ReadPipeline {
  readonly path: string;
  readonly text: string;
  readonly file: PipelineFile;
}

/**
 * Reads and parses a pipeline's file; undefined if it does not exist. Tags such as `!reference` are
 * accepted.
 * @param version GitLab reads YAML 1.1, where `off` is false; GitHub reads YAML 1.2.
 */
export async function readPipelineFile(
  files: { read(path: string): Promise<string | undefined> },
  path: string,
  version: '1.1' | '1.2',
): Promise<ReadPipeline | undefined> {
  try {
    const text = await files.read(path);
    return text === undefined ? undefined : { path, text, file: parse(path, text, version) };
  } catch (error) {
    const { code } = error as { code?: unknown };
    // A read without a code was cancelled.
    if (code === undefined && !(error instanceof RangeError)) throw error;
    const reason =
      error instanceof RangeError
        ? 'the file is nested too deeply'
        : `the file cannot be read (${String(code)})`;
    const problems = [`${printable(path)}: ${reason}`];
    const file = { root: undefined, problems, placeOf: () => '', resolve: (node: unknown) => node };
    return { path, text: '', file };
  }
}

function parse(path: string, text: string, version: '1.1' | '1.2'): PipelineFile {
  const lines = new LineCounter();
  // `prettyErrors` would repeat the line of the file, including any secret on it.
  const options = { lineCounter: lines, prettyErrors: false, logLevel: 'silent', version } as const;
  const documents = [parseAllDocuments(text, options)].flat() as Document[];
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${printable(path)}:${line}:${col}`;
  };
  const last = documents.at(-1);
  const errors = documents.flatMap((document) => document.errors);
  return {
    root: last?.contents,
    problems: errors.slice(0, 1).map(({ pos }) => `${at(pos[0])}: not valid YAML`),
    placeOf: (node) =>
      at((node as { range?: readonly number[] } | null | undefined)?.range?.[0] ?? 0),
    resolve: (node) => (node instanceof Alias && last ? node.resolve(last) : node),
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
export function entriesOf(
  file: PipelineFile,
  node: unknown,
  /** Mappings around this one: an alias may name one of them. */
  outer: readonly unknown[] = [],
): readonly PipelineEntry[] {
  const mapping = file.resolve(node);
  if (!isMap(mapping) || outer.includes(mapping)) return [];
  return (mapping as YAMLMap<unknown, unknown>).items.flatMap((pair) => {
    const { key, value } = pair;
    if (keyOf(pair) === '<<')
      return itemsOf(file, value).flatMap((one) => entriesOf(file, one, [...outer, mapping]));
    const read = plain(file.resolve(value));
    return [{ name: keyOf(pair), node: value, value: read, place: file.placeOf(key) }];
  });
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
