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

test("README's head shows a timeline and the live view, each with a text alternative", () => {
  expect(shown).toEqual(
    ['license', 'node', 'timeline', 'live'].map((name) => `docs/pictures/${name}.svg`),
  );
});

test('both pictures match the drawing of the recorded run', () => {
  expect(read('docs/pictures/timeline.svg')).toBe(renderTimelinePicture(run));
  expect(read('docs/pictures/live.svg')).toBe(renderLivePicture(run));
});

test('the recorded run is complete: a job lasts into the drain, and a shard is removed', () => {
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

  test('needs no other file, and runs no script', () => {
    const addresses = [...picture.matchAll(/[a-z]+:\/\/[^\s"<]+/g)].map(([one]) => one);
    expect(addresses.filter((one) => one !== 'http://www.w3.org/2000/svg')).toEqual([]);
    expect(picture).not.toMatch(/<script|href=|<image|@import|url\(|<foreignObject| on\w+=/);
  });

  test('stays below 20 kilobytes', () => {
    expect(picture.length).toBeLessThan(20_000);
  });
});
