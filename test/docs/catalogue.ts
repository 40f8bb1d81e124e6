import { type ErrorCode, exitCodeOf } from '../../src/domain/error-codes.ts';
import { nodesOf, readSources, type SyntaxNode } from '../structure/source.ts';

export interface CatalogueEntry {
  readonly code: string;
  readonly exitCode: number;
}

/** Lists every code in src/errors with its exit code. */
export function readCatalogue(): CatalogueEntry[] {
  const named = readSources()
    .filter(({ folder }) => folder === 'errors')
    .flatMap(({ module }) => nodesOf(module.body))
    .filter(({ type, value }) => type === 'StringLiteral' && isCode(value))
    .map(({ value }) => value as ErrorCode);
  return [...new Set(named)].map((code) => ({ code, exitCode: exitCodeOf[code] }));
}

function isCode(value: unknown): value is ErrorCode {
  return Object.hasOwn(exitCodeOf, String(value));
}

/**
 * Lists calls that make errors with this exit code as `function, file`, and tables of src/errors
 * with such a row as `table, file`.
 */
export function placesOf(exitCode: number): string[] {
  const sources = readSources();
  const makers = sources
    .filter(({ folder }) => folder === 'errors')
    .flatMap(({ module }) => nodesOf(module.body))
    .filter(({ type }) => type === 'FunctionDeclaration')
    .filter((declaration) => hasExitCode(declaration, exitCode))
    .map(({ identifier }) => literalOf(identifier));
  const places = sources.flatMap(({ path, module }) =>
    nodesOf(module.body)
      .filter(({ type }) => type === 'CallExpression')
      .map(({ callee }) => literalOf(callee))
      .filter((name) => makers.includes(name))
      .map((name) => `${String(name)}, ${path.replace(/^src\//, '')}`),
  );
  return [...new Set([...places, ...tablesWith(exitCode)])];
}

function tablesWith(exitCode: number): string[] {
  return readSources()
    .filter(({ folder }) => folder === 'errors')
    .flatMap(({ path, module }) =>
      nodesOf(module.body)
        .filter(({ type }) => type === 'VariableDeclarator')
        .filter(({ init }) => nodesOf(init).every(({ type }) => type !== 'NewExpression'))
        .filter((declarator) => hasExitCode(declarator, exitCode))
        .map(({ id }) => `${String(literalOf(id))}, ${path.replace(/^src\//, '')}`),
    );
}

/** Decides whether a declaration has the exit code, directly or by its error code. */
function hasExitCode(declaration: SyntaxNode, exitCode: number): boolean {
  const isOne = (value: unknown) =>
    value === exitCode || (isCode(value) && exitCodeOf[value] === exitCode);
  return nodesOf(declaration).some(
    ({ type, key, value }) =>
      type === 'KeyValueProperty' &&
      ['code', 'exitCode'].includes(String(literalOf(key))) &&
      nodesOf(value).some((node) => isOne(literalOf(node))),
  );
}

function literalOf(node: unknown): unknown {
  return (node as { value?: unknown } | undefined)?.value;
}
