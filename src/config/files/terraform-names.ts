import { parseJson } from '../../domain/text/json.ts';
import { blank } from './hcl-text.ts';

/** Name in a file of Terraform. */
export interface NamedLine {
  readonly name: string;
  /** Line from 1. */
  readonly line: number;
}

export interface DeclaredVariable extends NamedLine {
  /** Whether the variable has no default. */
  readonly isRequired: boolean;
}

/** Lists the variables that a file of a root module (`.tf` or `.tf.json`) declares. */
export function listDeclared(path: string, text: string): readonly DeclaredVariable[] {
  if (path.endsWith('.json')) {
    const { variable } = record(parseJson(text));
    return Object.entries(record(variable)).map(([name, body]) => {
      const isRequired = ![body].flat().some((one) => 'default' in record(one));
      return { name, line: 1, isRequired };
    });
  }
  const code = blank(text, 'comments and texts');
  const words = blank(text, 'comments');
  return [...code.matchAll(/^[ \t]*variable[^\n{]*\{/gm)].flatMap(({ index }) => {
    const name = /^[ \t]*variable[ \t]*"?([\w-]+)"?[ \t]*\{/.exec(words.slice(index))?.[1];
    if (name === undefined || depthAt(code, index) > 0) return [];
    const body = bodyAt(code, code.indexOf('{', index));
    const isRequired = !listNames(body).some((one) => one.name === 'default');
    return [{ name, line: lineAt(text, index), isRequired }];
  });
}

/** Lists the variables that a file of values (`.tfvars` or `.tfvars.json`) sets. */
export function listAssigned(path: string, text: string): readonly NamedLine[] {
  if (path.endsWith('.json'))
    return Object.keys(record(parseJson(text))).map((name) => ({ name, line: 1 }));
  return listNames(blank(text, 'comments and texts'), text);
}

/** Lists the names before `=` that are in no braces, brackets or parentheses. */
function listNames(code: string, text = code): readonly NamedLine[] {
  return [...code.matchAll(/^[ \t]*([A-Za-z_][\w-]*)[ \t]*=(?!=)/gm)]
    .filter(({ index }) => depthAt(code, index) === 0)
    .map(({ index, 1: name = '' }) => ({ name, line: lineAt(text, index) }));
}

function bodyAt(code: string, opening: number): string {
  let depth = 0;
  for (let position = opening; position < code.length; position += 1) {
    if (code[position] === '{') depth += 1;
    if (code[position] === '}') depth -= 1;
    if (depth === 0) return code.slice(opening + 1, position);
  }
  return code.slice(opening + 1);
}

function depthAt(code: string, end: number): number {
  const before = code.slice(0, end);
  return (before.match(/[{[(]/g)?.length ?? 0) - (before.match(/[}\])]/g)?.length ?? 0);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
