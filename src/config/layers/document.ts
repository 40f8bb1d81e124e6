import {
  Alias,
  type Document,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Range,
} from 'yaml';
import { findSecrets } from '../../domain/text/secret-shapes.ts';
import { printable } from '../../domain/text/show.ts';
import type { Place, Problem } from '../problem.ts';

const longestFile = 1_000_000;

/** A parsed YAML file whose every node can be found again in its text. */
export interface SourceDocument {
  readonly document: Document.Parsed;
  readonly problems: readonly Problem[];
  placeOf(node: unknown): Place;
  /** Follows an alias to what it stands for. */
  resolve(node: unknown): unknown;
}

/** Undefined where the text is so broken that its keys mean nothing; `problems` says why. */
export function parseSource(
  text: string,
): SourceDocument | { readonly problems: readonly Problem[] } {
  if (text.length > longestFile) {
    return { problems: [{ place: start, text: 'the file is larger than 1 MB' }] };
  }
  if (isForeign(text)) {
    // Of UTF-16 each second byte of plain letters is zero.
    const isEncoded = text.includes('\0');
    return { problems: [{ place: start, text: isEncoded ? encodingText : foreignText }] };
  }
  const lines = new LineCounter();
  const document = parse(text, lines);
  if (document === undefined)
    return { problems: [{ place: start, text: 'it is nested too deeply' }] };
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { kind: 'file', line, column: col };
  };
  // Whatever follows the first one follows from it.
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
  'this looks like a secret; secrets come from the environment only, so remove it here and revoke it';

const encodingText =
  'this is no text in UTF-8; an editor may have saved it as UTF-16, or it is another kind of file';

/** What stands for bytes that are no letter in UTF-8. */
const unreadable = '\ufffd';
const otherEncodingText =
  'this is no text in UTF-8; an editor may have saved it in another encoding';

const foreignText =
  'this is no configuration: it has none of the keys version, defaults and stacks';

/** Whatever was named by mistake, a key or a list of passwords: not a word of it is repeated. */
function isForeign(text: string): boolean {
  const isEmpty = text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
  return !isEmpty && !/(?:^|[\s{,])["']?(?:version|defaults|stacks)["']?\s*:/.test(text);
}

export const keyGivenTwice = 'this key is given twice';

function parse(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  try {
    // `prettyErrors` would repeat the line of the file, and with it whatever secret is on it.
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

/** What a shell or a template would fill in, and YAML takes for a mapping. */
function hintAt(text: string, offset: number): string {
  return text[offset] === '{' && text[offset - 1] === '$'
    ? '; a value with braces stands in quotes, and variables are not filled in here'
    : '';
}

/** Some of the parser's sentences end with, or quote, what stands in the file. */
function withoutSource(sentence: string): string {
  return sentence.replace(/: .*$/s, '').replace(/(["'`])(?:(?!\1).)+\1/gs, '$1…$1');
}

function rangeOf(node: unknown): Range | null | undefined {
  return (node as Node | null | undefined)?.range;
}

/** What was typed for a key, also where YAML reads `007` as 7; undefined for a list or mapping. */
export function keyText(node: unknown): string | undefined {
  return isScalar(node) ? (node.source ?? String(node.value)) : undefined;
}
