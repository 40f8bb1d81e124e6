import { parseSync } from '@swc/core';

/** A node of the parser's tree, as far as it is looked at here. */
interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

/**
 * The titles in a test file: of suites and tests that are not skipped, and, where a title has a place for
 * them, the texts of its table's rows. A part that is filled in stands as it is written.
 */
export function titlesIn(source: string): readonly string[] {
  const program = parseSync(source, { syntax: 'typescript' }) as unknown as Node;
  const tables = new Map<string, Node>();
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator') {
      const name = (node['id'] as Node)?.value;
      if (typeof name === 'string') tables.set(name, node['init'] as Node);
    }
    return true;
  });
  const titles: string[] = [];
  visit(program, (node) => {
    if (node.type !== 'CallExpression') return true;
    const { words, table } = calleeOf(node['callee'] as Node);
    if (!/^(?:test|it|describe\w*)$/.test(words[0] ?? '')) return true;
    if (words.includes('skip') || words.includes('todo')) return false;
    // The rows of a table; they count with its title.
    if (words.at(-1) === 'each' && table === undefined) return true;
    const [first] = node['arguments'] as { expression: Node }[];
    const own = first === undefined ? [] : textsIn(nameOf(first.expression));
    titles.push(...own);
    if (table !== undefined && own.some((text) => /[%$]/.test(text))) {
      const name = table.type === 'Identifier' ? tables.get(String(table.value)) : table;
      if (name !== undefined) titles.push(...textsIn(name));
    }
    return true;
  });
  return titles;
}

/** `test.each(rows)`, `describe.skip`, `test`: the words, and the rows. */
function calleeOf(callee: Node): { words: string[]; table?: Node } {
  if (callee.type === 'Identifier') return { words: [String(callee.value)] };
  if (callee.type === 'MemberExpression') {
    const { words } = calleeOf(callee['object'] as Node);
    return { words: [...words, String((callee['property'] as Node).value)] };
  }
  if (callee.type !== 'CallExpression') return { words: [] };
  const { words } = calleeOf(callee['callee'] as Node);
  const [rows] = callee['arguments'] as { expression: Node }[];
  return rows === undefined ? { words } : { words, table: rows.expression };
}

/** `{ name: '…', needs: […] }` of a suite that needs other programs. */
function nameOf(argument: Node): Node {
  if (argument.type !== 'ObjectExpression') return argument;
  const properties = argument['properties'] as Node[];
  const name = properties.find((one) => (one['key'] as Node)?.value === 'name');
  return (name?.['value'] as Node) ?? argument;
}

function textsIn(node: Node): string[] {
  const texts: string[] = [];
  visit(node, (one) => {
    if (one.type === 'StringLiteral') texts.push(String(one.value));
    if (one.type === 'TemplateElement') texts.push(String(one['cooked'] ?? ''));
    return one.type !== 'ArrowFunctionExpression' && one.type !== 'CallExpression';
  });
  return texts;
}

/** Goes on below a node as long as `see` says so. */
function visit(node: unknown, see: (node: Node) => boolean): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  else if (typeof node === 'object' && node !== null && see(node as Node))
    for (const one of Object.values(node)) visit(one, see);
}
