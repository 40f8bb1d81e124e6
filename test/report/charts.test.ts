import { expect, test } from '@jest/globals';
import { drawCharts } from '../../src/report/drawing/charts.ts';
import { join } from '../../src/report/drawing/elements.ts';
import type { Picture } from '../../src/report/drawing/picture.ts';
import { cutToFit } from '../../src/report/drawing/text-labels.ts';

const second = 1000;

function pictureOf(seconds: number, jobs: number): Picture {
  const each = (seconds * second) / Math.max(1, jobs);
  const middle = (seconds * second) / 2;
  return {
    from: 0,
    to: seconds * second,
    shards: ['pink', 'purple'],
    spans: [{ shard: 'pink', state: 'active', from: 0, to: seconds * second }],
    switches: [{ at: middle, to: 'purple' }],
    scenes: [
      { title: 'one', from: 0, to: middle },
      { title: 'two', from: middle, to: seconds * second },
    ],
    moments: [{ at: seconds * second, text: 'the end' }],
    jobs: Array.from({ length: jobs }, (_, at) => ({
      shard: 'pink',
      startedAt: at * each,
      endedAt: (at + 1) * each,
      kind: 'short',
      text: `job ${at}`,
    })),
    waits: [{ text: 'a drain', from: 0, to: seconds * second }],
  };
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

test('a chart that fits a sheet is one piece', () => {
  const page = join(drawCharts(pictureOf(30, 3)));
  expect(count(page, /class="chart on-wide"/g)).toBe(1);
});

test('a wide chart continues below in pieces of a sheet, which show everything once', () => {
  const [telephone = '', tablet = '', ...paper] = drawCharts(pictureOf(180, 125)).map((one) =>
    join([one]),
  );
  expect(telephone).toContain('class="chart on-telephone"');
  expect(tablet).toContain('class="chart on-tablet"');
  expect(paper).toHaveLength(3);
  for (const piece of paper) {
    expect(piece).toContain('class="chart on-wide"');
    expect(Number(/ width="(\d+)"/.exec(piece)?.[1])).toBeLessThan(1100);
    expect(piece).toContain('class="bar active"');
    expect(piece).toContain('class="wait"');
  }
  const all = paper.join('');
  expect(count(all, /class="switch"/g)).toBe(1);
  expect(all).toContain('purple made active at 1:30');
  expect(count(all, /class="moment"/g)).toBe(1);
  // A job that lasts across a cut is drawn on both sides.
  expect(count(all, /class="job short"/g)).toBe(127);
  const [, second = '', third = ''] = paper;
  expect(second).toContain('>1. one<');
  expect(second).toContain('>2. two<');
  expect(third).not.toContain('>1. one<');
  expect(third).toContain('>2. two<');
});

test('times of the pieces are those of the whole, and no two pieces share an id', () => {
  const paper = drawCharts(pictureOf(180, 125)).slice(2);
  const all = paper.map((one) => join([one])).join('');
  const ticks = [...all.matchAll(/class="tick"[^>]*>([\d:]+)</g)].map(([, time]) => time);
  expect(ticks[0]).toBe('0:00');
  expect(ticks.at(-1)).toBe('3:00');
  const ids = [...all.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['production1', 'production2', ['produ…n1', 'produ…n2'], ['prod…1', 'prod…2']],
  ['blue-production', 'green-production', ['blue-…on', 'green…on'], ['blue…n', 'gree…n']],
])(
  'the shards %s and %s have different labels, and their whole names',
  (one, other, wide, narrow) => {
    const picture = { ...pictureOf(30, 0), shards: [one, other] };
    const [telephone = '', , screen = ''] = drawCharts(picture).map((chart) => join([chart]));
    const labels = (page: string) =>
      [...page.matchAll(/<text class="shard"[^>]*><title>([^<]*)<\/title>([^<]*)</g)].map(
        ([, title, label]) => [title, label],
      );
    expect(labels(screen)).toEqual([
      [one, wide[0]],
      [other, wide[1]],
    ]);
    expect(labels(telephone)).toEqual([
      [one, narrow[0]],
      [other, narrow[1]],
    ]);
  },
);

test('a shard with a short name is not named twice', () => {
  expect(join(drawCharts(pictureOf(30, 0)))).toMatch(/<text class="shard"[^>]*>purple</);
});

test.each([
  ['no host is registered (0 of 1), 2s of 3m', 232, 'no host is registered (0 of 1)…'],
  ['no job is left; another check must confirm it', 128, 'no job is left…'],
  ['no job is left; another check must confirm it', 137, 'no job is left; a…'],
])('a shortened label ends in no punctuation mark: %s', (text, width, label) => {
  expect(cutToFit(text, width)).toBe(label);
});
