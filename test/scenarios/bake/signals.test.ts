import { describe, expect, test } from '@jest/globals';
import { purple } from '../../fakes/builders.ts';
import type { SignalsState } from '../../fakes/ports/signals-fake.ts';
import { end } from '../service/promoted.ts';
import { read, worded } from './single-check.ts';

const errors = {
  query: 'errors',
  url: 'https://prometheus.example.com',
  above: 0.05,
  forMs: 300_000,
  use: 'required',
} as const;

describe('one check of the signals', () => {
  test('queries no source if none is configured', async () => {
    expect(await read({})).toMatchObject({ ending: { kind: 'done' }, readings: [] });
  });

  test.each<[string, SignalsState, string]>([
    [
      'above',
      { metrics: { errors: { highest: 0.2, series: '{job="a"}', doubts: [] } } },
      'bad: 0.2 of {job="a"} is above 0.05',
    ],
    [
      'at its limit',
      { metrics: { errors: { highest: 0.05, series: '{}', doubts: [] } } },
      'good: 0.05 is not above 0.05',
    ],
    [
      'without a value',
      { metrics: { errors: { doubts: [] } } },
      'unknown: the response has no value',
    ],
    [
      'partial and good',
      { metrics: { errors: { highest: 0, series: '{}', doubts: ['a store is down'] } } },
      'unknown: 0; a store is down',
    ],
    [
      'partial and bad',
      { metrics: { errors: { highest: 1, series: '{}', doubts: ['a store is down'] } } },
      'bad: 1 is above 0.05',
    ],
    ['missing', {}, 'unknown: Prometheus GET /api/v1/query: no answer'],
  ])('reads a query whose response is %s', async (_, responses, expected) => {
    const seen = await read({ prometheus: [errors] }, { signals: responses });
    expect(worded(seen)).toEqual([`prometheus[0] ${expected}`]);
    expect(seen.readings[0]?.heldMs).toBe(300_000);
  });

  test.each<[string, SignalsState['alarms'], string]>([
    [
      'all are OK',
      { one: { state: 'ok', detail: 'OK' }, two: { state: 'ok', detail: 'OK' } },
      'good: one, two OK',
    ],
    [
      'one is in ALARM',
      {
        one: { state: 'unknown', detail: 'INSUFFICIENT_DATA' },
        two: { state: 'alarm', detail: 'ALARM: 7 errors' },
      },
      'bad: two: ALARM: 7 errors',
    ],
    [
      'one has too few data',
      {
        one: { state: 'unknown', detail: 'INSUFFICIENT_DATA' },
        two: { state: 'ok', detail: 'OK' },
      },
      'unknown: one: INSUFFICIENT_DATA',
    ],
    [
      'one does not exist',
      { one: { state: 'ok', detail: 'OK' } },
      'unknown: two: no such alarm exists',
    ],
    ['they cannot be read', undefined, 'unknown: CloudWatch DescribeAlarms: no answer'],
  ])('reads alarms if %s', async (_, alarms, expected) => {
    const responses = alarms === undefined ? {} : { alarms };
    expect(
      worded(await read({ cloudwatchAlarms: ['one', 'two'] }, { signals: responses })),
    ).toEqual([`cloudwatch_alarms ${expected}`]);
  });

  test('reports the response of a webhook, and a missing response as unknown', async () => {
    const webhookUrl = 'https://judge.example.com';
    const responses = { webhook: { kind: 'bad', detail: 'answered 412' } } as const;
    expect(worded(await read({ webhookUrl }, { signals: responses }))).toEqual([
      'webhook bad: answered 412',
    ]);
    expect(worded(await read({ webhookUrl }))).toEqual([
      'webhook unknown: webhook POST: no answer',
    ]);
  });

  test('reports the other signals if one does not respond', async () => {
    const responses = { metrics: { errors: { highest: 0, series: '{}', doubts: [] } } };
    const seen = await read(
      { prometheus: [errors, { ...errors, query: 'other', use: 'report' }] },
      { signals: responses },
    );
    expect(seen.readings.map(({ value, requirement }) => [value, requirement])).toEqual([
      ['good', 'required'],
      ['unknown', 'report'],
    ]);
  });

  test('collects the health evidence again', async () => {
    expect((await read({ health: 'required' })).readings).toMatchObject([
      { signal: 'health', value: 'good' },
    ]);
    const dead = await read({ health: 'required' }, { about: (world) => end(world, purple) });
    expect(dead.readings).toMatchObject([{ signal: 'health', value: 'bad' }]);
  });
});
