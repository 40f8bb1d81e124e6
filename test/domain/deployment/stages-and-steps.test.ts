import { describe, expect, test } from '@jest/globals';
import { changedSomething } from '../../../src/domain/deployment/last-apply.ts';
import { expectedActive, withoutShard } from '../../../src/domain/deployment/record.ts';
import {
  allPhases,
  bringsUp,
  isAlone,
  isBefore,
  isBuilt,
  isDrained,
  isPastQuarantine,
  isRetirement,
  isRetiring,
  isReturnable,
  nextStage,
  phases,
  type SessionCommand,
  stageNames,
  stages,
  stepsOf,
} from '../../../src/domain/deployment/stages-and-steps.ts';
import { formatDuration, parseDuration } from '../../../src/domain/text/duration.ts';
import { pink, purple, recordAt } from '../samples.ts';

describe('the table of steps', () => {
  test('leads through the phases in one order', () => {
    expect(phases).toEqual([
      'prepared',
      'onboarded',
      'applying',
      'applied',
      'healthy',
      'promoting',
      'promoted',
      'draining',
      'drained',
      'baked',
      'destroying',
      'done',
    ]);
  });

  test('gives each stage its range', () => {
    const ranges = Object.keys(stages).map((stage) => [
      stage,
      stepsOf(stage as keyof typeof stages).join(' '),
    ]);
    expect(Object.fromEntries(ranges)).toEqual({
      prepare: 'prepare',
      onboard: 'onboard',
      provision: 'onboard guard apply healthcheck promote',
      promote: 'promote',
      shutdown: 'drain bake stop',
      bake: 'bake',
      cleanup: 'deregister destroy finish',
      finalize: 'drain bake stop deregister destroy finish',
    });
  });

  test.each([
    ['no second shard exists', isAlone, ['prepared', 'onboarded', 'done']],
    ['the candidate is built and not promoted', isBuilt, ['applied', 'healthy']],
    [
      'the retiring shard may return in a rollback',
      isReturnable,
      ['promoted', 'draining', 'drained', 'baked'],
    ],
    [
      'the old shard is being removed',
      isRetiring,
      ['promoted', 'draining', 'drained', 'baked', 'destroying'],
    ],
    ['the drain is proven', isDrained, ['drained', 'baked', 'destroying']],
  ] as const)('lists the phases in which %s', (_, holds, expected) => {
    expect(allPhases.filter(holds)).toEqual(expected);
  });

  test('names the stage that an operator runs next', () => {
    expect(Object.fromEntries(allPhases.map((phase) => [phase, nextStage(phase)]))).toEqual({
      prepared: 'provision',
      onboarded: 'provision',
      applying: 'provision',
      applied: 'provision',
      healthy: 'promote',
      promoting: 'promote',
      promoted: 'finalize',
      draining: 'finalize',
      drained: 'finalize',
      baked: 'finalize',
      destroying: 'finalize',
      retreating: 'provision',
      done: undefined,
    });
  });

  test.each([
    ['build a candidate', bringsUp, ['prepare', 'onboard', 'provision', 'promote', 'deploy']],
    ['retire the old shard', isRetirement, ['shutdown', 'bake', 'cleanup', 'finalize']],
  ] as const)('lists the commands that %s', (_, holds, expected) => {
    const commands = [
      ...stageNames,
      ...(['deploy', 'healthcheck', 'rollback', 'recover'] as const),
      'constructor' as SessionCommand,
    ];
    expect(commands.filter(holds)).toEqual(expected);
  });

  test('counts a retreat among the phases before the production tags', () => {
    expect(isPastQuarantine('retreating')).toBe(false);
    expect(isBefore('retreating', 'promoted')).toBe(true);
    expect(allPhases.filter(isPastQuarantine)).toEqual([
      'promoting',
      'promoted',
      'draining',
      'drained',
      'baked',
      'destroying',
      'done',
    ]);
  });
});

describe('the record', () => {
  test.each([
    ['prepared', 'pink'],
    ['retreating', 'pink'],
    ['promoting', 'either'],
    ['promoted', 'purple'],
    ['done', 'purple'],
  ] as const)('expects at %s that %s is active', (phase, active) => {
    expect(expectedActive(recordAt({ phase }).deployment)).toBe(active);
  });

  test('expects no active shard in a first deployment', () => {
    const { retiring: _, ...first } = recordAt().deployment;
    expect(expectedActive(first)).toBe('none');
  });

  test('keeps the unhealthy verdicts of a shard whose other data it drops', () => {
    const record = recordAt({}, { purple: { unhealthyInARow: 2, productionTag: true } });
    expect(withoutShard(record, purple).shards['purple']).toEqual({
      tokenWritten: false,
      unhealthyInARow: 2,
      productionTag: false,
    });
    expect(withoutShard(record, pink).shards['purple']).toEqual(record.shards['purple']);
  });

  test.each([
    [{ added: 0, changed: 0, destroyed: 0 }, false],
    [{ added: 0, changed: 1, destroyed: 0 }, true],
    [{ added: 0, changed: 0 }, true],
    [{}, true],
  ])('counts an apply of %j as a change: %s', (counts, changed) => {
    expect(changedSomething(counts)).toBe(changed);
  });
});

describe('durations', () => {
  test.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['0s', 0],
    ['15', undefined],
    ['-1m', undefined],
    ['abc', undefined],
    ['', undefined],
    ['1.5h', undefined],
    ['1h 30m', undefined],
    [`${'9'.repeat(30)}d`, undefined],
  ])('%j is %s ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    [0, '0s'],
    [-5, '0s'],
    [59_499, '59s'],
    [860_000, '14m 20s'],
    [7_500_000, '2h 5m'],
    [7_200_000, '2h'],
    [273_600_000, '3d 4h'],
  ])('%s ms reads %j', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
