import { describe, expect, test } from '@jest/globals';
import { renderReport } from '../../../sandbox/demo/report/page.ts';
import { pictureOf } from '../../../sandbox/demo/report/picture.ts';
import { element } from '../../../src/report/drawing/elements.ts';
import { formatTime, placeLabels } from '../../../src/report/drawing/labels.ts';
import { assignLanes } from '../../../src/report/drawing/lanes.ts';
import { layOut } from '../../../src/report/drawing/layout.ts';
import { finishedJob, smallStory } from './stories.ts';

const hostile = `</svg><script>alert("x")</script>&'`;

describe('markup', () => {
  test('escapes what it contains and its attributes', () => {
    expect(element('p', { title: hostile }, [hostile]).markup).toBe(
      '<p title="&lt;/svg&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;">' +
        '&lt;/svg&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;</p>',
    );
  });

  test('leaves out attributes without a value and cuts numbers', () => {
    expect(element('rect', { class: undefined, x: 1.26 }).markup).toBe('<rect x="1.3"/>');
  });
});

describe('layout', () => {
  test('stretches that touch get lanes of their own, later ones use a lane again', () => {
    const stretches = [
      { from: 20, to: 30 },
      { from: 0, to: 10 },
      { from: 5, to: 15 },
    ];
    expect(assignLanes(stretches, 2).map(({ stretch, lane }) => [stretch.from, lane])).toEqual([
      [0, 0],
      [5, 1],
      [20, 0],
    ]);
  });

  test('labels that would cover each other stand one below the other', () => {
    const { labels } = placeLabels(
      [
        { x: 0, text: 'First deployment' },
        { x: 50, text: 'Control' },
        { x: 300, text: 'Recovery' },
      ],
      { top: 0, right: 900 },
    );
    expect(labels.map(({ y }) => y)).toEqual([15, 30, 15]);
  });

  test('a label that would stick out at the right stands further left, and covers none there', () => {
    const { labels } = placeLabels(
      [
        { x: 300, text: 'Recovery' },
        { x: 395, text: 'pink made active' },
      ],
      { top: 0, right: 400 },
    );
    expect(labels.map(({ x, textX, y }) => [x, Math.round(textX), y])).toEqual([
      [395, 285, 15],
      [300, 300, 30],
    ]);
  });

  test('time runs from the left to the right, and every job is below its shard', () => {
    const { x, left, right, rows } = layOut(pictureOf(smallStory()));
    expect([x(0), x(30_000)]).toEqual([left, right]);
    expect(rows.map(({ shard, jobs }) => [shard, jobs.length])).toEqual([
      ['pink', 1],
      ['purple', 0],
    ]);
    expect(rows[0]?.jobs[0]?.y).toBeGreaterThan(rows[0]?.y ?? 0);
  });

  test('times are minutes and seconds since the beginning', () => {
    expect([0, 59_600, 65_000, 7_265_000].map(formatTime)).toEqual([
      '0:00',
      '1:00',
      '1:05',
      '2:01:05',
    ]);
  });
});

describe('the report', () => {
  const report = renderReport(smallStory());

  test('needs nothing from elsewhere and no script', () => {
    const addresses = report.match(/[a-z]+:\/\/[^\s"<]+/g) ?? [];
    expect(addresses.every((address) => address === 'http://www.w3.org/2000/svg')).toBe(true);
    expect(report).not.toMatch(/<script|\bsrc=|<link|@import|url\(/);
  });

  test.each(['active', 'quarantine', 'draining', 'building'])('draws a bar of kind %s', (state) => {
    expect(report).toContain(`class="bar ${state}"`);
  });

  test.each([
    ['a switch', 'purple made active at 0:15'],
    ['a kill', '✖ SIGKILL (draining)'],
    ['a scene', '1. Second deployment'],
    ['a deployment', '<td>terminal-1</td>'],
    ['a job', 'job 1, short, finished, waited 400 ms'],
    ['a shortened window', '<td>drain.poll</td>'],
    ['that all is well', 'No job was lost or interrupted'],
  ])('names %s', (_, text) => {
    expect(report).toContain(text);
  });

  test('says what is wrong instead', () => {
    const wrong = renderReport(smallStory({ problems: ['A lock was left behind.'] }));
    expect(wrong).toContain('✖ A lock was left behind.');
    expect(wrong).not.toContain('✔');
  });

  test('lets no text of the run be markup', () => {
    const story = smallStory({
      shards: [hostile],
      spans: [{ shard: hostile, state: 'active', from: 0, to: 30_000 }],
      scenes: [{ title: hostile, from: 0, to: 30_000 }],
      switches: [{ at: 10, to: hostile }],
      moments: [{ at: 10, text: hostile }],
      jobs: [finishedJob({ shard: hostile, verdict: 'lost', reason: hostile })],
      problems: [hostile],
    });
    expect(renderReport(story)).not.toContain('<script');
  });

  test('closes every element that it opens', () => {
    const open: string[] = [];
    for (const [, end, name = '', self] of report.matchAll(/<(\/?)([a-z0-9]+)[^>]*?(\/?)>/g)) {
      if (self === '/' || name === 'meta') continue;
      if (end === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });
});
