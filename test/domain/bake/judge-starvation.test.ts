import { describe, expect, test } from '@jest/globals';
import {
  judgeStarvation,
  rememberWaits,
  type WaitCheck,
  type WaitMemory,
} from '../../../src/domain/bake/judge-starvation.ts';

const minute = 60_000;
const waits = (id: string, project = 'acme/shop') => ({ id, name: 'build', project, tags: [] });

type Look = Partial<Omit<WaitCheck, 'waiting'>> & { readonly waiting?: readonly string[] };

/** One look a minute; what is not said is nothing. */
function memoryOf(looks: readonly Look[]): WaitMemory {
  const seen = looks.reduce<WaitMemory | undefined>(
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

const judged = (looks: readonly Look[], running = 0) =>
  judgeStarvation({
    memory: memoryOf(looks),
    at: (looks.length - 1) * minute,
    limitMs: 2 * minute,
    running,
  });

describe('jobs that wait while the promoted shard starts none', () => {
  test('are bad from the limit on, by our own looks', () => {
    const look = { waiting: ['7'] };
    expect(judged([{}, look, look])).toEqual({
      value: 'good',
      detail: '1 job waits, job 7 "build" of acme/shop for 1m while none began there',
    });
    expect(judged([{}, look, look, look])).toEqual({
      value: 'bad',
      detail: '1 job waits, job 7 "build" of acme/shop for 2m while none began there',
      job: waits('7'),
    });
  });

  test('may have waited for hours at the first look, which is no good answer', () => {
    expect(judged([{ waiting: ['7'] }])).toEqual({
      value: 'unknown',
      detail:
        '1 job waits, job 7 "build" of acme/shop for 0s while none began there; it is looked at for no longer, and 2m are allowed',
    });
  });

  test('are good where none waits', () => {
    expect(judged([{}])).toEqual({ value: 'good', detail: 'no job with its tags waits' });
  });

  test('wait anew from each job that begins there', () => {
    const looks = [
      { waiting: ['7', '8'] },
      { waiting: ['7', '8'] },
      { waiting: ['7', '8'], begun: ['6'] },
      { waiting: ['7', '8'], begun: ['6'] },
    ];
    expect(judged(looks)).toMatchObject({
      value: 'good',
      detail: expect.stringMatching(/^2 jobs wait, .* for 1m /),
    });
    expect(judged([...looks, { waiting: ['7'], begun: ['6'] }])).toMatchObject({ value: 'bad' });
  });

  test('wait on although those that had begun before the first look are listed', () => {
    const look = { waiting: ['7'], begun: ['5', '6'] };
    expect(judged([look, look, { waiting: ['7'], begun: ['6'] }]).value).toBe('bad');
  });

  test('say nothing while jobs run there that may fill it', () => {
    const look = { waiting: ['7'] };
    expect(judged([look, look, look], 1)).toMatchObject({
      value: 'unknown',
      detail: expect.stringMatching(/; 1 job runs there and may fill it$/),
    });
  });

  test('that are gone from the list are forgotten, and count anew where they come back', () => {
    const look = { waiting: ['7'] };
    expect(judged([{}, look, look, {}, look]).value).toBe('good');
  });

  test('of a project that could not be read once have waited on', () => {
    const look = { waiting: ['7'] };
    const silent = { unread: [{ project: 'acme/shop', detail: '503' }] };
    expect(judged([look, silent, look]).value).toBe('bad');
    expect(judged([look, { unread: [{ project: 'acme/web', detail: '503' }] }, look]).value).toBe(
      'good',
    );
    expect(judged([look, { ...silent, begun: ['7'] }, silent]).detail).toBe(
      'no job with its tags waits',
    );
  });
});
