import { describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../src/domain/error-codes.ts';
import { read } from '../structure/tree.ts';
import { placesOf, readCatalogue } from './catalogue.ts';

const catalogue = readCatalogue();
const sections = new Map(
  read('docs/troubleshooting.md')
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

describe('docs/troubleshooting.md', () => {
  test('contains one heading for each error code, in the order of the list', () => {
    expect([...sections.keys()]).toEqual(errorCodes);
  });

  test('contains one heading for each code that a function creates, and no other', () => {
    expect([...sections.keys()].sort()).toEqual(catalogue.map(({ code }) => code).sort());
  });

  test('shows the exit code of each error', () => {
    const documented = [...sections].map(([code, text]) => ({
      code,
      exitCode: Number(/^Exit code (\d+)\./m.exec(text)?.[1]),
    }));
    expect(documented.sort(byCode)).toEqual([...catalogue].sort(byCode));
  });

  test('gives each code its meaning, the shard that accepts jobs, and an action', () => {
    const parts = ['**Means:**', '**Accepts jobs:**', '**Do:**'];
    const lacking = [...sections].flatMap(([code, text]) =>
      parts.filter((part) => !text.includes(part)).map((part) => `${code}: ${part}`),
    );
    expect(lacking).toEqual([]);
  });

  test('names each command that listens, for an address in use', () => {
    const page = sections.get('AddressTaken');
    expect(page).toContain('`healthcheck --listen`');
    expect(page).toContain('`dashboard --port`');
  });
});

describe('docs/operate/unfinished.md', () => {
  const rows = read('docs/operate/unfinished.md')
    .split('## The same errors')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| ['))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  test('lists each condition that ends with exit code 75, and no other', () => {
    const listed = (rows ?? []).map(([, , , , source = '']) => source.replaceAll('`', ''));
    expect(listed.sort()).toEqual(placesOf(75).sort());
  });

  test('gives each condition a reason and an end', () => {
    for (const [, , reason, end, source] of rows ?? [])
      expect({ source, isWhole: reason !== '' && end !== '' }).toEqual({ source, isWhole: true });
  });

  test('names each code whose exit code is 75', () => {
    const named = new Set(
      (rows ?? []).flatMap(([, codes = '']) => codes.match(/\b[A-Z]\w+/g) ?? []),
    );
    const codes = catalogue.filter(({ exitCode }) => exitCode === 75).map(({ code }) => code);
    expect(codes.filter((code) => !named.has(code))).toEqual([]);
  });
});

function byCode(one: { code: string }, other: { code: string }): number {
  return one.code < other.code ? -1 : 1;
}
