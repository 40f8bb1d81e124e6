import { describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../src/domain/error-codes.ts';
import { read } from '../structure/tree.ts';
import { readCatalogue } from './catalogue.ts';

const catalogue = readCatalogue();
const sections = new Map(
  read('docs/troubleshooting.md')
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

describe('docs/troubleshooting.md', () => {
  test('has one heading for each code, and no other, in the order of the list', () => {
    expect([...sections.keys()]).toEqual(errorCodes);
  });

  test('has one heading for each code that a function makes, and no other', () => {
    expect([...sections.keys()].sort()).toEqual(catalogue.map(({ code }) => code).sort());
  });

  test('says the exit code of each', () => {
    const said = [...sections].map(([code, text]) => ({
      code,
      exitCode: Number(/^Exit code (\d+)\./m.exec(text)?.[1]),
    }));
    expect(said.sort(byCode)).toEqual([...catalogue].sort(byCode));
  });

  test('says of each what it means, who serves, and what to do', () => {
    const parts = ['**Means:**', '**Who serves:**', '**Do:**'];
    const lacking = [...sections].flatMap(([code, text]) =>
      parts.filter((part) => !text.includes(part)).map((part) => `${code}: ${part}`),
    );
    expect(lacking).toEqual([]);
  });

  test('names each command that listens where its address is taken', () => {
    const page = sections.get('AddressTaken');
    expect(page).toContain('`healthcheck --listen`');
    expect(page).toContain('`dashboard --port`');
  });
});

function byCode(one: { code: string }, other: { code: string }): number {
  return one.code < other.code ? -1 : 1;
}
