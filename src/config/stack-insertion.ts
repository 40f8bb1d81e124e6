import { isDeepStrictEqual } from 'node:util';
import { isAlias, isCollection, isMap, isPair, type Node, parse } from 'yaml';
import { parseSource, type SourceDocument } from './layers/document.ts';

export interface InsertedStack {
  readonly name: string;
  /** Lines, indented by two spaces for each level. */
  readonly lines: readonly string[];
}

/** New text, or the reason why the form of the file does not allow an insertion. */
export type Insertion =
  | { readonly kind: 'inserted'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Lists the names in the mapping `stacks`; undefined if `stacks` is no mapping. */
export function findStackNames({ document }: SourceDocument): readonly string[] | undefined {
  const stacks: unknown = document.get('stacks', true);
  return isMap(stacks) ? stacks.items.map(({ key }) => String(key)) : undefined;
}

/** Inserts stacks after the last line of the mapping `stacks`. All other bytes stay the same. */
export function insertStacks(
  text: string,
  { document }: SourceDocument,
  added: readonly InsertedStack[],
): Insertion {
  const stacks: unknown = document.get('stacks', true);
  if (isAlias(stacks)) return refuse('is an alias');
  if (!isMap(stacks)) return refuse('contains no stack');
  if (stacks.flow === true) return refuse('is written in braces, not as one stack below the other');
  const last = stacks.items.at(-1);
  const key = last?.key as Node | undefined;
  const start = key?.range?.[0];
  if (last === undefined || start === undefined) return refuse('contains no stack');
  const indentation = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (!/^ +$/.test(indentation)) return refuse('has a last name that does not begin its line');
  const at = endOfBlock(text, endOfNode(last) ?? start, indentation.length);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = added
    .flatMap((one) => one.lines.map((line) => line.replace(/^(?: {2})*/, widened(indentation))))
    .map((line) => `${indentation}${line}`);
  // The last line of a file may have no line break.
  const before = at > 0 && text[at - 1] !== '\n' ? eol : '';
  const next = `${text.slice(0, at)}${before}${lines.join(eol)}${eol}${text.slice(at)}`;
  return isAddition(document, next, added)
    ? { kind: 'inserted', text: next }
    : refuse('has a form in which the place of a new stack is unclear');
}

function refuse(reason: string): Insertion {
  return { kind: 'refused', reason };
}

/** Returns a function that replaces two spaces by the file's own indentation. */
function widened(indentation: string): (spaces: string) => string {
  return (spaces) => indentation.repeat(spaces.length / 2);
}

/** Returns the end of the last value in a node, without the comments after it. */
function endOfNode(node: unknown): number | undefined {
  if (isPair(node)) return endOfNode(node.value) ?? endOfNode(node.key);
  if (isCollection(node) && node.flow !== true && node.items.length > 0)
    return endOfNode(node.items.at(-1));
  return (node as Node | null)?.range?.[1];
}

/**
 * Returns the offset after the line at `end`, and after the comments that follow it with at least
 * the indentation of the keys.
 */
function endOfBlock(text: string, end: number, indentation: number): number {
  const lineAfter = (offset: number) => {
    const found = text.indexOf('\n', offset);
    return found < 0 ? text.length : found + 1;
  };
  let block = end > 0 && text[end - 1] === '\n' ? end : lineAfter(end);
  for (let next = block; next < text.length; ) {
    const stop = lineAfter(next);
    const line = text.slice(next, stop).trimEnd();
    const isComment = /^ *#/.test(line) && line.search(/#/) >= indentation;
    if (!isComment && line !== '') break;
    next = stop;
    if (isComment) block = stop;
  }
  return block;
}

/** Returns whether the new text contains exactly the old content and the added stacks. */
function isAddition(
  document: SourceDocument['document'],
  text: string,
  added: readonly InsertedStack[],
): boolean {
  const source = parseSource(text);
  if (!('document' in source) || source.problems.length > 0) return false;
  try {
    const { stacks = {}, ...rest } = document.toJS() as { readonly stacks?: object };
    const more: object = parse(added.flatMap(({ lines }) => lines).join('\n'));
    return isDeepStrictEqual(source.document.toJS(), { ...rest, stacks: { ...stacks, ...more } });
  } catch (error) {
    // An alias without an anchor, or too many aliases.
    if (error instanceof ReferenceError) return false;
    throw error;
  }
}
