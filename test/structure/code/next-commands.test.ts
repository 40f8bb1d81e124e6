import { describe, expect, test } from '@jest/globals';
import { filesBelow, read } from '../tree.ts';

/**
 * Commands that are printed from outside of `src/errors`, which the tests of the catalogue do not see: each
 * one with a test, and the words in that test that show the line.
 */
const printed: Readonly<Record<string, readonly (readonly [test: string, words: string])[]>> = {
  'src/operator/doctor/repair.ts': [['test/operator/doctor/doctor.test.ts', 'doctor --fix']],
  'src/operator/recover/method-choice.ts': [
    ['test/operator/recover/recover.test.ts', ', because '],
  ],
  'src/operator/recover/recover.ts': [
    ['test/operator/recover/foreign-pipeline.test.ts', 'In that pipeline, or at a terminal: '],
    ['test/operator/recover/foreign-pipeline.test.ts', 'Next, in the pipeline of the deployment: '],
    ['test/scenarios/endings/approval-kept.test.ts', 'Next, after the approval'],
    ['test/operator/recover/foreign-pipeline.test.ts', 'Next: hosted-runner finalize'],
  ],
  'src/operator/recover/terminate.ts': [
    ['test/operator/recover/terminate.test.ts', ': hosted-runner recover --runner linux --method'],
  ],
  'src/stages/steps/candidate/approval.ts': [
    ['test/scenarios/endings/approval-kept.test.ts', 'After the approval: hosted-runner promote'],
  ],
  'src/stages/service/service-canary.ts': [
    ['test/scenarios/bake/end-canary.test.ts', 'is left on p'],
  ],
  'src/stages/run/now-line.ts': [
    ['test/scenarios/drain/__snapshots__/draining.test.ts.snap', 'without a schedule, run hosted-'],
    ['test/scenarios/endings/unread-record.test.ts', 'may still exist as its old shard'],
  ],
  'src/stages/service/recovery-when-none-serves.ts': [
    ['test/errors/printing-stacks/service.ts', 'whose removal was written down'],
    ['test/operator/recover/foreign-pipeline.test.ts', 'Finish what is begun: '],
  ],
  'src/stages/run/reopen-on-failure.ts': [
    ['test/scenarios/service/service.test.ts', 'To look again: hosted-runner finalize'],
  ],
  'src/stages/steps/removal/retreat.ts': [
    ['test/scenarios/candidate/opened-in-retreat.test.ts', 'What keeps it instead'],
  ],
  'src/stages/run/takeover.ts': [
    ['test/scenarios/pipelines/__snapshots__/takeovers.test.ts.snap', 'finish with "hosted-runner'],
  ],
  'src/stages/context/result.ts': [
    [
      'test/scenarios/pipelines/takeovers.test.ts',
      'hosted-runner finalize --runner linux" finishes',
    ],
    ['test/scenarios/terminal/after-finished.test.ts', 'begins the next one'],
  ],
};

test('each command that a stage or an operator’s command prints is listed', () => {
  const counts = filesBelow('src/stages')
    .concat(filesBelow('src/operator'))
    .map((path) => [path, read(path).match(/command: '[a-z]/g)?.length ?? 0] as const)
    .filter(([, count]) => count > 0);
  const listed = Object.entries(printed).map(([path, tests]) => [path, tests.length]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(listed));
});

describe('each has a test that shows its line', () => {
  const rows = Object.entries(printed).flatMap(([path, tests]) =>
    tests.map(([where, words]) => ({ path, where, words })),
  );
  test.each(rows)('$path in $where: $words', ({ where, words }) => {
    expect(read(where)).toContain(words);
  });
});
