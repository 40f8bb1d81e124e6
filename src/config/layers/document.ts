import {
  Alias,
  type Document,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  parse as parseValue,
  type Range,
} from 'yaml';
import { findSecrets } from '../../domain/text/secret-shapes.ts';
import { printable } from '../../domain/text/show.ts';
import type { Place, Problem } from '../problem.ts';

const longestFile = 1_000_000;

/** Parsed YAML file with the position of every node. */
export interface SourceDocument {
  readonly document: Document.Parsed;
  readonly problems: readonly Problem[];
  placeOf(node: unknown): Place;
  /** Follows an alias to its node. */
  resolve(node: unknown): unknown;
}

/**
 * Parses a file. Without `document`, the text is too broken to have keys; `problems` explains it.
 */
export function parseSource(
  text: string,
): SourceDocument | { readonly problems: readonly Problem[] } {
  if (text.length > longestFile) {
    return { problems: [{ place: start, text: 'the file is larger than 1 MB' }] };
  }
  if (isForeign(text)) {
    // In UTF-16, every second byte of ASCII letters is zero.
    const isEncoded = text.includes('\0');
    return { problems: [{ place: start, text: isEncoded ? encodingText : foreignText }] };
  }
  const lines = new LineCounter();
  const document = parse(text, lines);
  if (document === undefined)
    return { problems: [{ place: start, text: 'the file is nested too deeply' }] };
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { kind: 'file', line, column: col };
  };
  // Later errors are consequences of the first one.
  const broken = document.errors.find((error) => error.code !== 'DUPLICATE_KEY');
  const errors = broken === undefined ? [...document.errors, ...document.warnings] : [broken];
  const foreign = text.indexOf(unreadable);
  const problems: Problem[] = [
    ...findSecrets(text).map((offset) => ({ place: placeAt(offset), text: secretText })),
    ...(foreign < 0 ? [] : [{ place: placeAt(foreign), text: otherEncodingText }]),
    ...errors.map((error) => ({
      place: placeAt(error.pos[0]),
      text: describe(error.code, error.message) + hintAt(text, error.pos[0]),
    })),
  ];
  if (broken !== undefined) return { problems };
  return {
    document,
    problems,
    placeOf: (node) => placeAt(rangeOf(node)?.[0] ?? 0),
    resolve: (node) => (node instanceof Alias ? node.resolve(document) : node),
  };
}

const start: Place = { kind: 'file', line: 1, column: 1 };
const secretText =
  'this appears to be a secret; remove it, revoke it, and put secrets only into the environment';

const encodingText =
  'the file is not UTF-8 text; an editor may have saved it as UTF-16, or it is another type of file';

/** Replacement character for bytes that are not valid UTF-8. */
const unreadable = '\ufffd';
const otherEncodingText =
  'the file is not UTF-8 text; an editor may have saved it in another encoding';

const foreignText =
  'the file is not a configuration: it has none of the keys version, defaults and stacks';

/**
 * Returns whether the file is no configuration. It may be a key or a list of passwords: no word of
 * it is repeated.
 */
function isForeign(text: string): boolean {
  const isEmpty = text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
  return !isEmpty && !/(?:^|[\s{,])["']?(?:version|defaults|stacks)["']?\s*:/.test(text);
}

export const keyGivenTwice = 'this key is given twice';

function parse(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  try {
    // `prettyErrors` would repeat the line of the file, including any secret on it.
    return parseDocument(text, { lineCounter, prettyErrors: false, version: '1.2', merge: false });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function describe(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return keyGivenTwice;
  if (code === 'MULTIPLE_DOCS')
    return 'the file has more than one document; `---` starts the second';
  if (code === 'TAB_AS_INDENT') return 'a tab indents this line; YAML allows spaces only';
  const [sentence = ''] = message.split('\n');
  return findSecrets(message).length > 0
    ? 'not valid YAML'
    : `not valid YAML: ${printable(withoutSource(sentence))}`;
}

/** Explains `${…}`, which a shell or a template would fill in and YAML parses as a mapping. */
function hintAt(text: string, offset: number): string {
  return text[offset] === '{' && text[offset - 1] === '$'
    ? '; put a value with braces in quotes; variables are not expanded here'
    : '';
}

/** Removes quotations of the file from the parser's messages. */
function withoutSource(sentence: string): string {
  return sentence.replace(/: .*$/s, '').replace(/(["'`])(?:(?!\1).)+\1/gs, '$1…$1');
}

function rangeOf(node: unknown): Range | null | undefined {
  return (node as Node | null | undefined)?.range;
}

/** Formats a text, in quotes if YAML 1.1 or 1.2 would parse it as another value. */
export function formatYamlText(text: string): string {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(text);
  const isText = (version: '1.1' | '1.2') => parseValue(text, { version }) === text;
  return isPlain && isText('1.1') && isText('1.2') ? text : JSON.stringify(text);
}

/** Returns a key as typed, even if YAML parses `007` as 7; undefined for a list or mapping. */
export function keyText(node: unknown): string | undefined {
  return isScalar(node) ? (node.source ?? String(node.value)) : undefined;
}
