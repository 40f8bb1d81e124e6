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
const judged = (ended: readonly FinishedJob[], past: readonly FinishedJob[] = before) =>
  judgeFailures({ jobs: ended, before: past, alpha: 0.00017 });

describe('failures of the script on a promoted shard', () => {
  test('are bad where jobs that succeeded on the old one fail here', () => {
    const { value, detail } = judged([
      ...jobs(3, 'build', script),
      ...jobs(3, 'test', script),
      ...jobs(4, 'build'),
    ]);
    expect(value).toBe('bad');
    expect(detail).toMatch(
      /^6 of 10 jobs failed by their script, and 1 of 61 of the same jobs on the old shard, such as job \d+ "build"$/,
    );
  });

  test('are good where as many failed before', () => {
    const past = [...jobs(20, 'build', script), ...jobs(20, 'test', script), ...jobs(20, 'build')];
    expect(judged([...jobs(3, 'build', script), ...jobs(3, 'test', script)], past).value).toBe(
      'good',
    );
  });

  test('of one job again and again are its customer’s', () => {
    expect(judged([...jobs(9, 'build', script), ...jobs(2, 'test')]).value).toBe('good');
  });

  test('say nothing of jobs that the old shard never ran', () => {
    expect(judged([...jobs(9, 'deploy', script), ...jobs(9, 'lint', script)])).toEqual({
      value: 'unknown',
      detail: 'no job that ran on the old shard has ended on the new one',
    });
  });

  test('are not those of the runner', () => {
    const faults = [
      ...jobs(3, 'build', 'runner_system_failure'),
      ...jobs(3, 'test', 'runner_system_failure'),
    ];
    expect(judged(faults).value).toBe('good');
  });
});
