import { describe, expect, test } from '@jest/globals';
import { verifyEventFile } from '../../src/verify/verify.ts';
import { slowGrowth } from '../support/growth.ts';
import { endingCases } from './cases-endings.ts';
import { githubCases } from './cases-github.ts';
import { safetyCases } from './cases-safety.ts';
import { file, head, record, run } from './lines.ts';

const wrong: readonly unknown[] = [null, 7, 'text', {}, [null]];

/** Returns every variant of a line with one value replaced. */
function* spoiled(value: unknown, put: (changed: unknown) => unknown): Generator<unknown> {
  for (const other of wrong) yield put(other);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* spoiled(inner, (changed) =>
      put(Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }),
    );
  }
}

describe('a line of evidence with a field of a wrong type', () => {
  test('drops out with a report, and the other lines are verified', () => {
    const text = file(run('a', head(), record('applied')));
    const line = { run: 'a', n: 3, kind: 'evidence', verdict: 'healthy', evidence: 'none' };
    expect(verifyEventFile(`${text}${JSON.stringify(line)}\n`)).toMatchObject({
      damage: ['line 3 has a field of another type and is ignored'],
      lines: 2,
    });
  });

  const files = [
    ...Object.values(safetyCases),
    ...Object.values(endingCases),
    ...githubCases,
  ].flatMap(({ good, bad }) => [good, bad]);

  test('ends no verification, whichever field it is', () => {
    const tried = new Set<string>();
    let count = 0;
    for (const text of files) {
      const lines = text.split('\n').filter((line) => line !== '');
      for (const [index, line] of lines.entries()) {
        const event = JSON.parse(line) as { kind: string; call?: string };
        const name = `${event.kind} ${event.call}`;
        if (tried.has(name)) continue;
        tried.add(name);
        for (const changed of spoiled(event, (whole) => whole)) {
          const other = lines.with(index, JSON.stringify(changed)).join('\n');
          expect(() => verifyEventFile(other)).not.toThrow();
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(500);
  });

  test.each([
    ['deep lists', `{"run":"a","kind":"call","args":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    [
      'deep mappings',
      `{"run":"a","kind":"call","answer":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    ],
    ['a key that is a prototype', '{"run":"a","kind":"call","__proto__":{"n":1}}'],
  ])('ends no verification with %s', (_name, line) => {
    expect(() => verifyEventFile(`${file(run('b', head()))}${line}\n`)).not.toThrow();
  });

  test('takes time in proportion to its length for the search for secrets', () => {
    const lineOf = (length: number) =>
      JSON.stringify({ run: 'a', kind: 'note', text: 'eyJ'.repeat(length / 3) });
    expect(slowGrowth(verifyEventFile, lineOf)).toBeUndefined();
  });
});
