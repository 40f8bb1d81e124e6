import { describe, expect, test } from '@jest/globals';
import { read } from '../structure/tree.ts';

describe.each(['docs/use/install.md', 'docs/use/install-github.md'])('%s', (document) => {
  const text = read(document);

  test('the page has ten steps, each with its time', () => {
    const steps = [...text.matchAll(/^## (\d+)\. .+ \(\d+ minutes\)$/gm)].map(([, step]) => step);
    expect(steps).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(text.match(/^## /gm)).toHaveLength(10);
  });

  test('the page contains at most eight decisions, in at most 1,500 words', () => {
    const rows = text.match(/^\| (?!value|---).+ \|$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.length).toBeLessThanOrEqual(8);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(1500);
  });
});
