import { describe, expect, test } from '@jest/globals';
import { judgeFailures } from '../../../src/domain/bake/judge-failures.ts';
import type { FinishedJob } from '../../../src/domain/registration.ts';

let id = 0;

function jobs(count: number, name: string, failureReason?: string): FinishedJob[] {
  return Array.from({ length: count }, () => {
    id += 1;
    return {
      id: String(id),
      name,
      project: 'acme/shop',
      status: failureReason === undefined ? 'success' : 'failed',
      ...(failureReason === undefined ? {} : { failureReason }),
      url: '',
    } as const;
  });
}

const script = 'script_failure';
const before = [...jobs(30, 'build'), ...jobs(30, 'test'), ...jobs(1, 'test', script)];
const judge = (ended: readonly FinishedJob[], past: readonly FinishedJob[] = before) =>
  judgeFailures({ jobs: ended, before: past, alpha: 0.00017 });

describe('failures of the script on a promoted shard', () => {
  test('count as bad if jobs that succeeded on the old shard fail here', () => {
    const { value, detail } = judge([
      ...jobs(3, 'build', script),
      ...jobs(3, 'test', script),
      ...jobs(4, 'build'),
    ]);
    expect(value).toBe('bad');
    expect(detail).toMatch(
      /^6 of 10 jobs failed in their script, compared with 1 of 61 of the same jobs on the old shard, for example job \d+ "build"$/,
    );
  });

  test('count as good if as many of these jobs failed on the old shard', () => {
    const past = [...jobs(20, 'build', script), ...jobs(20, 'test', script), ...jobs(20, 'build')];
    expect(judge([...jobs(3, 'build', script), ...jobs(3, 'test', script)], past).value).toBe(
      'good',
    );
  });

  test('count as good if one job fails again and again, because its customer is the cause', () => {
    expect(judge([...jobs(9, 'build', script), ...jobs(2, 'test')]).value).toBe('good');
  });

  test('prove nothing about jobs that the old shard never ran', () => {
    expect(judge([...jobs(9, 'deploy', script), ...jobs(9, 'lint', script)])).toEqual({
      value: 'unknown',
      detail: 'no job that ran on the old shard has finished on the new one',
    });
  });

  test('exclude failures of the runner', () => {
    const faults = [
      ...jobs(3, 'build', 'runner_system_failure'),
      ...jobs(3, 'test', 'runner_system_failure'),
    ];
    expect(judge(faults).value).toBe('good');
  });
});
