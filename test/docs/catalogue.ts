import { nodesOf, readSources, type SyntaxNode } from '../structure/source.ts';

export interface CatalogueEntry {
  readonly code: string;
  readonly exitCode: number;
}

/** Every code that src/errors can make, with its exit code. A code is a literal in PascalCase. */
export function readCatalogue(): CatalogueEntry[] {
  const found = new Map<string, number>();
  for (const { folder, module } of readSources()) {
    if (folder !== 'errors') continue;
    const nodes = nodesOf(module.body);
    for (const node of nodes.filter(({ type }) => type === 'ObjectExpression'))
      addPair(found, node);
    for (const node of nodes.filter(({ type }) => type === 'FunctionDeclaration'))
      addChosen(found, node);
  }
  return [...found].map(([code, exitCode]) => ({ code, exitCode }));
}

/**
 * `function, file` of each call of a function of src/errors that makes errors with this exit code, and
 * `table, file` of each table of src/errors with such a row.
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

function hasExitCode(declaration: SyntaxNode, exitCode: number): boolean {
  return nodesOf(declaration).some(
    ({ type, key, value }) =>
      type === 'KeyValueProperty' &&
      literalOf(key) === 'exitCode' &&
      nodesOf(value).some((node) => literalOf(node) === exitCode),
  );
}

/** `{ code: 'Held', exitCode: 3 }`, as an error's fields or as the row of a table. */
function addPair(found: Map<string, number>, object: SyntaxNode): void {
  const values = new Map(
    nodesOf(object['properties'])
      .filter(({ type }) => type === 'KeyValueProperty')
      .map(({ key, value }) => [literalOf(key), literalOf(value)]),
  );
  const code = values.get('code');
  const exitCode = values.get('exitCode');
  if (typeof code === 'string' && typeof exitCode === 'number') found.set(code, exitCode);
}

/** Codes among which a function chooses, by its argument's type or from a table; its exit code is one. */
function addChosen(found: Map<string, number>, declaration: SyntaxNode): void {
  const nodes = nodesOf(declaration);
  const exitCode = nodes
    .filter(({ type, key }) => type === 'KeyValueProperty' && literalOf(key) === 'exitCode')
    .map(({ value }) => literalOf(value))
    .find((value) => typeof value === 'number');
  if (typeof exitCode !== 'number') return;
  for (const { type, value } of nodes) {
    const isCode = type === 'StringLiteral' && /^(?:[A-Z][a-z]+)+$/.test(String(value));
    if (isCode && !found.has(String(value))) found.set(String(value), exitCode);
  }
}

function literalOf(node: unknown): unknown {
  return (node as { value?: unknown } | undefined)?.value;
}
