import { describe, expect, test } from '@jest/globals';
import { renderLivePicture } from '../../generate/pictures/live-picture.ts';
import { readRun } from '../../generate/pictures/recorded-run.ts';
import { renderTimelinePicture } from '../../generate/pictures/timeline-picture.ts';
import { read } from '../structure/tree.ts';

const recorded = read('docs/pictures/deployment.jsonl');
const run = readRun(recorded);
const shown = [...read('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
  ([, path = '']) => path,
);

test("README's head shows a timeline and the live view, each with words for who cannot see it", () => {
  expect(shown).toEqual(
    ['license', 'node', 'timeline', 'live'].map((name) => `docs/pictures/${name}.svg`),
  );
});

test('both are what the product draws of the run that was recorded', () => {
  expect(read('docs/pictures/timeline.svg')).toBe(renderTimelinePicture(run));
  expect(read('docs/pictures/live.svg')).toBe(renderLivePicture(run));
});

test('the run is a whole one: a job that lasts into the drain, and a shard that is gone', () => {
  expect(run.at(-1)?.event.kind).toBeDefined();
  const phases = run.flatMap(({ event }) =>
    event.kind === 'record' ? [event.deployment.phase] : [],
  );
  expect(phases.at(-1)).toBe('done');
  expect(recorded).toContain('"kind":"busy"');
  expect(recorded).not.toMatch(/"by"|token|127\.0\.0\.1|@/);
});

describe.each(shown)('%s', (path) => {
  const picture = read(path);

  test('needs nothing from elsewhere, and runs nothing', () => {
    const addresses = [...picture.matchAll(/[a-z]+:\/\/[^\s"<]+/g)].map(([one]) => one);
    expect(addresses.filter((one) => one !== 'http://www.w3.org/2000/svg')).toEqual([]);
    expect(picture).not.toMatch(/<script|href=|<image|@import|url\(|<foreignObject| on\w+=/);
  });

  test('is a few kilobytes', () => {
    expect(picture.length).toBeLessThan(20_000);
  });
});
