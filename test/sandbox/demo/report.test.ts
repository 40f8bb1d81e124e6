import { describe, expect, test } from '@jest/globals';
import { pictureOf, renderReport } from '../../../sandbox/demo/report/page.ts';
import { element } from '../../../src/report/drawing/elements.ts';
import { assignLanes, layOut } from '../../../src/report/drawing/layout.ts';
import { collectLabels, formatTime } from '../../../src/report/drawing/text-labels.ts';
import { finishedJob, smallRun, smallStory } from './stories.ts';

const hostile = `</svg><script>alert("x")</script>&'`;

describe('the HTML elements of the demo report', () => {
  test('escape their contents and attributes', () => {
    expect(element('p', { title: hostile }, [hostile]).markup).toBe(
      '<p title="&lt;/svg&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;">' +
        '&lt;/svg&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;</p>',
    );
  });

  test('omit attributes without a value, and shorten numbers', () => {
    expect(element('rect', { class: undefined, x: 1.26 }).markup).toBe('<rect x="1.3"/>');
  });
});

describe('the layout of the demo report', () => {
  test('touching spans get separate lanes, and later spans reuse a lane', () => {
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

  test('labels that would overlap are joined into the first one, which counts the others', () => {
    const faults = [1, 2, 3, 4, 5].map((at) => ({ x: at * 40, text: `✖ Job ${at} fails` }));
    const alone = { x: 500, text: '✖ SIGKILL' };
    expect(
      collectLabels([alone, ...faults], { right: 900, most: 3 }).map(({ x, text }) => [x, text]),
    ).toEqual([
      [40, '✖ Job 1 fails, and 4 more'],
      [80, ''],
      [120, ''],
      [160, ''],
      [200, ''],
      [500, '✖ SIGKILL'],
    ]);
    expect(collectLabels(faults, { right: 900, most: 5 })).toEqual(faults);
    expect(collectLabels(faults, { right: 150, most: 3 })[0]?.text).toBe('✖ Job…, and 4 more');
  });

  test('time runs from left to right, and every job is below its shard', () => {
    const { x, left, right, rows } = layOut(pictureOf(smallStory()));
    expect([x(0), x(30_000)]).toEqual([left, right]);
    expect(rows.map(({ shard, jobs }) => [shard, jobs.length])).toEqual([
      ['pink', 1],
      ['purple', 0],
    ]);
    expect(rows[0]?.jobs[0]?.y).toBeGreaterThan(rows[0]?.y ?? 0);
  });

  test('times are minutes and seconds since the start', () => {
    expect([0, 59_600, 65_000, 7_265_000].map(formatTime)).toEqual([
      '0:00',
      '1:00',
      '1:05',
      '2:01:05',
    ]);
  });
});

describe('the demo report', () => {
  const report = renderReport(smallRun());

  test('needs no script and nothing from other servers', () => {
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
    ['a scenario', '1. Second deployment'],
    ['a deployment', '>terminal-1</td>'],
    ['a job', 'job 1, short, finished, waited 400 ms'],
    ['a shortened window', '>drain.poll</td>'],
    ['a good result', 'No job was lost or interrupted'],
  ])('names %s', (_, text) => {
    expect(report).toContain(text);
  });

  test('shows no end at the edge of a chart for a shard that continues', () => {
    const jobs = Array.from({ length: 170 }, (_, at) => finishedJob({ number: at + 1 }));
    const to = 100_001;
    const spans = [{ shard: 'pink', state: 'active', from: 0, to }] as const;
    const page = renderReport(smallRun({ to, spans, jobs, scenarios: [], switches: [] }));
    expect(page.split('class="chart on-wide"').length - 1).toBe(2);
    expect(page).not.toContain('class="gone"');
  });

  test('draws each stack, numbers its scenarios in one sequence, and omits preparations', () => {
    const scenarios = [
      { title: 'First deployment', from: 0, to: 9000 },
      { title: 'Recovery', number: 5, from: 9000, to: 30_000 },
    ];
    const page = renderReport({ ...smallRun(), stories: [{}, { scenarios }].map(smallStory) });
    expect(page.match(/<h3>.+?<\/h3>/g)).toEqual(['<h3>Stack 1</h3>', '<h3>Stack 2</h3>']);
    expect(page).toContain('5. Recovery');
    expect(page).not.toContain('First deployment');
    expect(page.split('<td class="number" data-column="Stack">').length - 1).toBe(2);
  });

  test('names the problem of a bad run', () => {
    const wrong = renderReport(smallRun({ problems: ['A lock was left behind.'] }));
    expect(wrong).toContain('✖ A lock was left behind.');
    expect(wrong).not.toContain('✔');
  });

  test('folds a list of more than a dozen rows, and no shorter list', () => {
    const jobs = Array.from({ length: 13 }, (_, at) => finishedJob({ number: at + 1 }));
    expect(renderReport(smallRun({ jobs }))).toMatch(/<details><summary>Customer jobs: 13</);
    expect(renderReport(smallRun({ jobs: jobs.slice(1) }))).toMatch(
      /<details open=""><summary>Customer jobs: 12</,
    );
  });

  test('shows how many of its jobs the summary counts separately', () => {
    const jobs = (['control', 'deployments', 'outage', 'control'] as const).map((stream, at) =>
      finishedJob({ number: at + 1, stream }),
    );
    expect(renderReport(smallRun({ jobs }))).toContain('>Customer jobs (2 in the control run): 4<');
    expect(renderReport(smallRun({ jobs: jobs.slice(1, 3) }))).toContain('>Customer jobs: 2<');
  });

  test('shows a harmed job above the folded list', () => {
    const jobs = Array.from({ length: 13 }, (_, at) => finishedJob({ number: at + 1 }));
    const harmed = finishedJob({ number: 99, verdict: 'lost', reason: 'its host died' });
    const page = renderReport(smallRun({ jobs: [...jobs, harmed] }));
    const [unfolded = ''] = page.slice(page.indexOf('>Jobs<')).split('<details');
    expect(unfolded).toContain('>99</td>');
    expect(unfolded).not.toContain('>1</td>');
  });

  test('prints no text of the run as markup', () => {
    const run = smallRun({
      shards: [hostile],
      spans: [{ shard: hostile, state: 'active', from: 0, to: 30_000 }],
      scenarios: [{ title: hostile, number: 1, from: 0, to: 30_000 }],
      switches: [{ at: 10, to: hostile }],
      moments: [{ at: 10, text: hostile }],
      jobs: [finishedJob({ shard: hostile, verdict: 'lost', reason: hostile })],
      problems: [hostile],
    });
    expect(renderReport(run)).not.toContain('<script');
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

test('the result of a job is shown as text, in the list and in the table', () => {
  const [deployment] = smallStory().deployments;
  if (deployment === undefined) throw new Error('no deployment');
  const page = renderReport(
    smallRun({ deployments: [{ ...deployment, outcome: 'taken_back', candidate: 'pink' }] }),
  );
  expect(page).toContain('second deployment: rolled back');
  expect(page).toContain('<td data-column="Outcome">rolled back</td>');
  expect(page).not.toContain('taken_back');
});
