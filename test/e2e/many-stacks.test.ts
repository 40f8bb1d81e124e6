import { expect, test } from '@jest/globals';
import { describeManyStacks } from '../stacks/description.ts';
import { finishManyStacks } from '../stacks/many-stacks.ts';
import { bundledProgram } from '../support/program.ts';
import { shareOf } from '../support/sample.ts';

const stacks = shareOf(50);

test(`${stacks} stacks in one process stay below GitLab.com's limits, lose no job and leave nothing`, async () => {
  const run = await finishManyStacks({ stacks, holdMs: 0, bundle: bundledProgram });
  process.stdout.write(`\n${describeManyStacks(run)}`);
  const { exitCode, refused, lost, left } = run;
  // The output matters only on failure.
  const output = exitCode === 0 ? '' : run.output;
  expect({ exitCode, refused, lost, left, output }).toEqual({
    exitCode: 0,
    refused: 0,
    lost: 0,
    left: 0,
    output: '',
  });
  expect(run.output).not.toContain('MaxListenersExceededWarning');
  expect(run.mostAMinute).toBeLessThanOrEqual(2000);
  // The usual value is a third of this limit.
  if (run.memoryMb !== undefined) expect(run.memoryMb).toBeLessThan(600);
});
