import { describe, expect, test } from '@jest/globals';
import {
  judgeStarvation,
  rememberWaits,
  type WaitCheck,
  type WaitMemory,
} from '../../../src/domain/bake/judge-starvation.ts';

const minute = 60_000;
const waits = (id: string, project = 'acme/shop') => ({ id, name: 'build', project, tags: [] });

type Check = Partial<Omit<WaitCheck, 'waiting'>> & { readonly waiting?: readonly string[] };

/** Checks once a minute. Missing values mean empty lists. */
function memoryOf(checks: readonly Check[]): WaitMemory {
  const seen = checks.reduce<WaitMemory | undefined>(
    (memory, { waiting = [], begun = [], unread = [] }, index) =>
      rememberWaits(memory, {
        at: index * minute,
        waiting: waiting.map((id) => waits(id)),
        begun,
        unread,
      }),
    undefined,
  );
  if (seen === undefined) throw new Error('no look');
  return seen;
}

const judge = (checks: readonly Check[], running = 0) =>
  judgeStarvation({
    memory: memoryOf(checks),
    at: (checks.length - 1) * minute,
    limitMs: 2 * minute,
    running,
  });

describe('jobs that wait while the promoted shard starts none', () => {
  test('count as bad once checks have seen them wait for the limit', () => {
    const check = { waiting: ['7'] };
    expect(judge([{}, check, check])).toEqual({
      value: 'good',
      detail: '1 job waits, job 7 "build" of acme/shop for 1m while none started on the new shard',
    });
    expect(judge([{}, check, check, check])).toEqual({
      value: 'bad',
      detail: '1 job waits, job 7 "build" of acme/shop for 2m while none started on the new shard',
      job: waits('7'),
    });
  });

  test('count as unknown at the first check, because they may have waited for hours', () => {
    expect(judge([{ waiting: ['7'] }])).toEqual({
      value: 'unknown',
      detail:
        '1 job waits, job 7 "build" of acme/shop for 0s while none started on the new shard; it may have waited longer (allowed: 2m)',
    });
  });

  test('count as good if no job waits', () => {
    expect(judge([{}])).toEqual({ value: 'good', detail: 'no job with its tags waits' });
  });

  test('restart their wait whenever a job begins there', () => {
    const checks = [
      { waiting: ['7', '8'] },
      { waiting: ['7', '8'] },
      { waiting: ['7', '8'], begun: ['6'] },
      { waiting: ['7', '8'], begun: ['6'] },
    ];
    expect(judge(checks)).toMatchObject({
      value: 'good',
      detail: expect.stringMatching(/^2 jobs wait, .* for 1m /),
    });
    expect(judge([...checks, { waiting: ['7'], begun: ['6'] }])).toMatchObject({
      value: 'bad',
    });
  });

  test('continue their wait if the running jobs began before the first check', () => {
    const check = { waiting: ['7'], begun: ['5', '6'] };
    expect(judge([check, check, { waiting: ['7'], begun: ['6'] }]).value).toBe('bad');
  });

  test('prove nothing while jobs run there that may use the full capacity', () => {
    const check = { waiting: ['7'] };
    expect(judge([check, check, check], 1)).toMatchObject({
      value: 'unknown',
      detail: expect.stringMatching(/; 1 job runs on the new shard and may use its full capacity$/),
    });
  });

  test('restart their wait if they left the list and return', () => {
    const check = { waiting: ['7'] };
    expect(judge([{}, check, check, {}, check]).value).toBe('good');
  });

  test('continue their wait while their project cannot be read', () => {
    const check = { waiting: ['7'] };
    const unreadable = { unread: [{ project: 'acme/shop', detail: '503' }] };
    expect(judge([check, unreadable, check]).value).toBe('bad');
    expect(judge([check, { unread: [{ project: 'acme/web', detail: '503' }] }, check]).value).toBe(
      'good',
    );
    expect(judge([check, { ...unreadable, begun: ['7'] }, unreadable]).detail).toBe(
      'no job with its tags waits',
    );
  });
});
