import { describe, expect, test } from '@jest/globals';
import { replay } from '../../src/recording/replay.ts';

describe('a recording with a value of a wrong type', () => {
  const call = {
    run: 'a',
    n: 2,
    kind: 'call',
    system: 'gitlab',
    version: '19.1.0-ee',
    method: 'GET',
    route: '/runners/:id',
    query: { status: 'running' },
    status: 200,
    headers: { 'content-type': 'application/json' },
    answer: { id: 1, paused: false, tag_list: ['linux'] },
    same_as: undefined,
    failed: undefined,
    not_json: undefined,
  };
  const head = JSON.stringify({ run: 'a', n: 1, kind: 'recording', schema: 1, program: '0.1.0' });
  const wrong: readonly unknown[] = [null, 7, -1, 1e99, 'text', true, [], {}, [[null]], { a: {} }];

  test('gets read or reported', () => {
    for (const key of Object.keys(call)) {
      for (const status of [200, 403, 500]) {
        for (const value of wrong) {
          const line = JSON.stringify({ ...call, status, [key]: value });
          expect(() => replay(`${head}\n${line}`)).not.toThrow();
        }
      }
    }
  });

  test.each([
    ['lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['mappings', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('gets read or reported if it nests %s', (_name, answer) => {
    for (const status of [200, 403]) {
      const line = JSON.stringify({ ...call, status }).replace(
        /"answer":\{[^}]*\}/,
        `"answer":${answer}`,
      );
      expect(line.length).toBeGreaterThan(100_000);
      expect(() => replay(`${head}\n${line}`)).not.toThrow();
    }
  });
});
