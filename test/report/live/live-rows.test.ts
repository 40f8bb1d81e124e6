import { describe, expect, test } from '@jest/globals';
import { sanitizeLine } from '../../../src/adapters/transport/words/sanitize.ts';
import { columnsOf } from '../../../src/domain/text/width.ts';
import type { LogEvent } from '../../../src/ports/log-event.ts';
import { liveRows } from '../../../src/report/live/live-rows.ts';
import { type LiveState, withEvent } from '../../../src/report/live/live-state.ts';

const now = Date.parse('2026-11-02T10:10:00Z');
const clean = (text: string) => sanitizeLine(text.replaceAll('hunter2', '[MASKED]'), 200);

function job(id: string, name: string, startedAt?: string) {
  const since = startedAt === undefined ? {} : { startedAt };
  return { id, name, status: 'running', project: 'shop', url: '', ...since } as const;
}

const record = {
  kind: 'record',
  how: 'read',
  deployment: {
    id: 'terminal-20261102T100000Z-ab12',
    kind: 'deploy',
    candidate: 'purple',
    retiring: 'pink',
    phase: 'draining',
    phaseAt: '2026-11-02T10:07:55Z',
    startedAt: '2026-11-02T10:00:00Z',
    expectedAt: '2026-11-02T10:13:00Z',
  },
} as const;

const good = { state: 'good', detail: '', source: '', at: '' } as const;

function stateAfter(...events: readonly unknown[]): LiveState {
  const run = {
    kind: 'run',
    command: 'deploy',
    stack: { runner_name: 'linux', shards: ['pink', 'purple'] },
  };
  const state = [run, ...events].reduce<LiveState | undefined>(
    (before, event) => withEvent(before, event as LogEvent),
    undefined,
  );
  if (state === undefined) throw new Error('no run has begun');
  return state;
}

const draining = stateAfter(
  record,
  { kind: 'status', active: 'purple' },
  {
    kind: 'evidence',
    shard: 'purple',
    verdict: 'healthy',
    evidence: [
      { ...good, kind: 'manager' },
      { ...good, kind: 'canary', state: 'missing' },
    ],
  },
  { kind: 'service', shard: 'purple', service: { kind: 'proven', reason: '', ageMs: 0 } },
  {
    kind: 'drain',
    shard: 'pink',
    judgement: {
      kind: 'busy',
      reason: '',
      jobs: [
        job('4711', 'build-image', '2026-11-02T10:05:50Z'),
        job('4712', 'tests \u001b[2J日本語', '2026-11-02T10:09:48Z'),
        job('4713', 'deploy hunter2'),
      ],
    },
  },
);

function rows(state: LiveState, columns: number, height = 30) {
  return liveRows(state, { columns, rows: height }, { now, clean });
}

describe('the live picture', () => {
  test('shows a head, a lane for each shard, and the awaited jobs', () => {
    expect(rows(draining, 200)).toEqual([
      '── deploy linux · draining · 10m · terminal-20261102T100000Z-ab12',
      '  pink    retiring           draining 2m 5s · 3 jobs · about 3m left',
      '      build-image 4711 for 4m 10s',
      '      tests 日本語 4712 for 12s',
      '      deploy [MASKED] 4713 not started',
      '  purple  active, candidate  verified · ○ canary ✔ manager',
    ]);
  });

  test.each([200, 80, 40, 20, 1])('contains no row wider than %i columns', (columns) => {
    const all = rows(draining, columns);
    expect(all).toHaveLength(6);
    expect(all.filter((row) => columnsOf(row) > columns)).toEqual([]);
  });

  test('shows at 50 columns which shard accepts jobs, and then the missing evidence', () => {
    expect(rows(draining, 50).at(-1)).toBe('  purple  active, candidate  verified · ○ canary …');
  });

  test('shows at 40 columns the state of each shard and the number of jobs', () => {
    expect(rows(draining, 40)).toEqual([
      '── deploy linux · draining · 10m · term…',
      '  pink retiring · draining · 3 jobs · a…',
      '      build-image 4711 for 4m 10s',
      '      tests 日本語 4712 for 12s',
      '      deploy [MASKED] 4713 not started',
      '  purple active · verified · ○ canary ✔…',
    ]);
  });

  test('ends at 80 columns with an ellipsis', () => {
    const named = stateAfter(record, {
      kind: 'drain',
      shard: 'pink',
      judgement: { kind: 'busy', reason: '', jobs: [job('1', '日'.repeat(60))] },
    });
    expect(rows(named, 80)[2]).toBe(`      ${'日'.repeat(36)}…`);
  });

  test.each([
    [6, 6],
    [5, 3],
    [3, 3],
    [2, 2],
    [0, 0],
  ])('drops jobs first: with %i rows it has %i', (height, shown) => {
    const all = rows(draining, 80, height);
    expect(all).toHaveLength(shown);
    expect(all.filter((row) => row.startsWith('      '))).toHaveLength(height >= 6 ? 3 : 0);
  });

  test.each([
    [{ finished: 12, wanted: 20 }, 'baking, 12 of 20 jobs'],
    [{ finished: 1, wanted: 0 }, 'baking, 1 job'],
    [{ wanted: 20 }, 'baking, none of 20 jobs is known'],
    [{ wanted: 0 }, 'baking'],
  ])('shows how many jobs of a baking shard have ended: %j', (count, expected) => {
    const bakeEvent = {
      kind: 'bake',
      shard: 'purple',
      verdict: 'watching',
      reason: '',
      ...count,
    } as const;
    expect(rows(stateAfter(record, bakeEvent), 80).at(-1)).toMatch(new RegExp(`${expected}$`));
    const baked = { ...record, deployment: { ...record.deployment, phase: 'baked' } } as const;
    expect(rows(stateAfter(record, bakeEvent, baked), 80).join('\n')).not.toContain('baking');
  });

  test('names three jobs and counts the others', () => {
    const jobs = [1, 2, 3, 4, 5].map((id) => job(String(id), 'test'));
    const state = stateAfter(record, {
      kind: 'drain',
      shard: 'pink',
      judgement: { kind: 'busy', reason: '', jobs },
    });
    expect(rows(state, 80).filter((row) => row.startsWith('      '))).toEqual([
      '      test 1 not started',
      '      test 2 not started',
      '      test 3 not started',
      '      and 2 more',
    ]);
  });

  test('shows that a drain takes longer than expected', () => {
    const late = {
      ...record,
      deployment: { ...record.deployment, expectedAt: '2026-11-02T10:09:00Z' },
    };
    const busy = { kind: 'busy', reason: '', jobs: [job('1', 'test')] };
    const state = stateAfter(late, { kind: 'drain', shard: 'pink', judgement: busy });
    expect(rows(state, 80)[1]).toContain('1 job · longer than expected');
  });

  test('shows only its head and two names before the record is read', () => {
    expect(rows(stateAfter(), 80)).toEqual(['── deploy linux', '  pink    -', '  purple  -']);
  });

  test('shows nothing of the last deployment, whose record a run reads first', () => {
    const last = { ...record, deployment: { ...record.deployment, phase: 'done' } };
    expect(rows(stateAfter(last), 80)[0]).toBe('── deploy linux');
  });

  test('shows no verdict from before the switch, and no drain of a removed shard', () => {
    const closed = { kind: 'service', shard: 'purple', service: { kind: 'closed' } };
    const drained = { kind: 'drain', shard: 'pink', judgement: { kind: 'drained' } };
    const written = { ...record, how: 'written' };
    const events = [written, closed, drained, { kind: 'status', active: 'purple' }];
    expect(rows(stateAfter(...events), 80)[2]).not.toContain('jobs');
    const done = { ...written, deployment: { ...record.deployment, phase: 'done' } };
    expect(rows(stateAfter(...events, done), 80)[1]).toBe('  pink    -');
  });

  test('keeps the word that denies in a narrow window', () => {
    const check = (kind: string) => ({ kind: 'service', shard: 'purple', service: { kind } });
    const applied = { ...record, deployment: { ...record.deployment, phase: 'applied' } };
    for (const [kind, word] of [
      ['closed', 'no jobs'],
      ['disproven', 'cannot'],
    ] as const)
      expect(rows(stateAfter(applied, check(kind)), 40)[2]).toContain(word);
  });

  test('does not exist before a run has begun', () => {
    expect(withEvent(undefined, record as unknown as LogEvent)).toBeUndefined();
  });
});
