import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  alternatives,
  e2eSuites,
  isE2e,
  sampledSuites,
} from '../../scripts/jest/process-suites.js';
import { root } from '../support/program.ts';
import { filesBelow, read } from './tree.ts';

const suites = filesBelow('test').filter((path) => path.endsWith('.test.ts'));
const startsTheProgram =
  /\b(runProgram|startProgram|openWorld)\(|\bbundledProgram\b|printed\/terminal\.ts'/;

test('no unit test starts the program', () => {
  const own = 'test/structure/process-suites.test.ts';
  const unit = suites.filter((path) => path !== own && !isE2e(path));
  expect(unit.length).toBeGreaterThan(100);
  expect(unit.filter((path) => startsTheProgram.test(read(path)))).toEqual([]);
});

test('each listed suite and folder exists', () => {
  expect(
    [...e2eSuites, ...sampledSuites, ...alternatives.flat()].filter(
      (one) => !existsSync(join(root, one)),
    ),
  ).toEqual([]);
});

test('a slash distinguishes a folder from a suite', () => {
  expect(isE2e('test/e2e/demo.test.ts')).toBe(true);
  expect(isE2e('test/command/command-probe.test.ts')).toBe(true);
  expect(isE2e('test/surface/output.test.ts')).toBe(true);
  expect(isE2e('test/surface/cancellation.test.ts')).toBe(false);
});
