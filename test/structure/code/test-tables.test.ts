import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { nodesOf } from '../source.ts';
import { filesBelow, read } from '../tree.ts';

interface Node {
  readonly type: string;
  readonly callee?: Node;
  readonly property?: { readonly value?: string };
  readonly arguments?: readonly { readonly expression: Node }[];
  readonly elements?: readonly ({
    readonly spread: object | null;
    readonly expression: Node;
  } | null)[];
  readonly params?: readonly (Node & { readonly pat?: Node })[];
  readonly expression?: Node;
}

/**
 * Lists rows of `test.each` that leave a parameter without a value. Jest passes a callback for it,
 * and the test waits for the callback.
 */
function shortRowsIn(text: string): string[] {
  const calls = nodesOf(parseSync(text, { syntax: 'typescript', target: 'es2022' })) as Node[];
  return calls.flatMap((call) => {
    if (call.type !== 'CallExpression' || call.callee?.callee?.property?.value !== 'each')
      return [];
    const action = call.arguments?.[1]?.expression;
    const parameters = (action?.params ?? []).map((one) => one.pat ?? one);
    const firstOptional = parameters.findIndex(({ type }) => optional.has(type));
    const required = firstOptional === -1 ? parameters.length : firstOptional;
    return rowsOf(call.callee.arguments?.[0]?.expression).flatMap((row) => {
      const { elements = [] } = row;
      const isWhole = elements.some((one) => one?.spread != null);
      return row.type !== 'ArrayExpression' || isWhole || elements.length >= required
        ? []
        : [`${elements.length} of ${required} values`];
    });
  });
}

/** A parameter with a default, or the rest of all. Jest counts only those before it. */
const optional = new Set(['AssignmentPattern', 'RestElement']);

/** Returns the literal rows of a table, also of one with a type (`as const`, `satisfies`). */
function rowsOf(table: Node | undefined): readonly Node[] {
  if (table === undefined) return [];
  if (table.type.startsWith('Ts')) return rowsOf(table.expression);
  return (table.elements ?? []).flatMap((one) => (one === null ? [] : [one.expression]));
}

test('each row of a test table has a value for each parameter', () => {
  const files = filesBelow('test').filter((path) => path.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((path) => shortRowsIn(read(path)).map((row) => `${path}: ${row}`));
  expect(found).toEqual([]);
});

test.each([
  ["test.each([['a', 1], ['b']])('%s', (name, count) => {});", ['1 of 2 values']],
  ["test.each([['a']] as const)('%s', (name, count) => {});", ['1 of 2 values']],
  ["test.each([['a', 1], ['b']])('%s', (name, count = 0) => {});", []],
  ["test.each([['a', 1], ['b', 2]])('%s', async (name, count) => {});", []],
  ["test.each([[...row]])('%s', (name, count) => {});", []],
  ["test.each(['a'])('%s', (name) => {});", []],
])('finds the short rows of %s', (text, found) => {
  expect(shortRowsIn(text)).toEqual(found);
});
