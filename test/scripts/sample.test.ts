import { afterEach, expect, test } from '@jest/globals';
import { leftOutOfSample } from '../../scripts/jest/process-suites.js';
import { chooseSample } from '../../scripts/jest/sample.js';

const { ONE_IN, SAMPLE_SEED } = process.env;
afterEach(() => {
  delete process.env['ONE_IN'];
  delete process.env['SAMPLE_SEED'];
  Object.assign(process.env, ONE_IN && { ONE_IN }, SAMPLE_SEED && { SAMPLE_SEED });
});

function chosen(suite: string, rest: string[], given: Record<string, string> = {}) {
  const environment: Record<string, string | undefined> = { ...given };
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  chooseSample({ suite, rest, environment, tell: print, commit: () => 'abc' });
  return { environment, lines };
}

test('a whole run of the unit tests samples one in twenty by the commit, and prints the repetition', () => {
  expect(chosen('unit', [])).toEqual({
    environment: { ONE_IN: '20', SAMPLE_SEED: 'abc' },
    lines: [
      'Repeated cases are sampled, one in 20. The same sample: ONE_IN=20 SAMPLE_SEED=abc; all cases: ONE_IN=1',
    ],
  });
});

test('environment variables take precedence over the commit and over one in twenty', () => {
  expect(chosen('unit', [], { ONE_IN: '7', SAMPLE_SEED: 'x' }).environment).toEqual({
    ONE_IN: '7',
    SAMPLE_SEED: 'x',
  });
  expect(chosen('unit', [], { ONE_IN: '1' })).toEqual({ environment: { ONE_IN: '1' }, lines: [] });
});

test.each([
  ['unit', ['test/domain']],
  ['e2e', []],
])('%s %j runs all cases', (suite, rest) => {
  expect(chosen(suite, rest)).toEqual({ environment: {}, lines: [] });
});

test('a sampled run of the e2e suites prints how to repeat it', () => {
  expect(chosen('e2e', [], { ONE_IN: '3', SAMPLE_SEED: 'x' }).lines).toHaveLength(1);
});

test('the suites of a sample follow from the printed seed', () => {
  process.env['ONE_IN'] = '10';
  const leftOutBy = (seed: number) => {
    delete process.env['SAMPLE_SEED'];
    const commit = () => String(seed);
    chooseSample({ suite: 'e2e', rest: [], environment: process.env, tell: () => {}, commit });
    return String(leftOutOfSample());
  };
  const samples = Array.from({ length: 20 }, (_, seed) => leftOutBy(seed));
  expect(new Set(samples).size).toBeGreaterThan(1);
});
