import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { renderReport } from '../../sandbox/demo/report/page.ts';
import { openBrowser } from '../../scripts/browser.js';
import { renderDashboard } from '../../src/report/dashboard/page.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { failed, thirty } from '../dashboard/fleets.ts';
import { hostileStack, now, sightOf, three } from '../dashboard/stacks.ts';
import { reportProvision } from '../report/running.ts';
import { reportLateDrain } from '../report/troubled.ts';
import { longStory, runOf, smallStory } from '../sandbox/demo/stories.ts';
import { describeWithTools } from '../support/tools.ts';

const liveMode = { kind: 'served', reloadSeconds: 30 } as const;

/** Shows a picture of README as GitHub and GitLab do: never wider than the text. */
function readmeWith(picture: string): string {
  const svg = readFileSync(new URL(`../../docs/pictures/${picture}`, import.meta.url), 'utf8');
  return `<!doctype html><meta charset="utf-8"><style>body { margin: 16px; color-scheme: light dark; background: Canvas; } .chart { max-width: 830px; } svg { display: block; max-width: 100%; height: auto; }</style><div class="chart">${svg}</div>`;
}

const pages = {
  'timeline.svg of README': readmeWith('timeline.svg'),
  'timeline.html': renderTimeline(reportProvision()),
  'timeline.html of a run in trouble': renderTimeline(reportLateDrain()),
  'report.html': renderReport(runOf(smallStory())),
  'report.html of two stacks': renderReport({
    ...runOf(smallStory()),
    stories: [smallStory(), longStory()],
  }),
  'report.html of minutes': renderReport(runOf(longStory())),
  dashboard: renderDashboard(three, liveMode),
  'dashboard of a failed deployment': renderDashboard({ now, stacks: [sightOf(failed)] }, liveMode),
  'dashboard of thirty stacks': renderDashboard(thirty, liveMode),
  'dashboard of hostile names': renderDashboard({ now, stacks: [hostileStack()] }, liveMode),
};

/** Script for the browser: finds texts that overlap or overflow, and measures their contrast. */
const measure = `(() => {
const luminance = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};
const texts = [...document.querySelectorAll('.chart text')].map((text) => ({ text, box: text.getBoundingClientRect() }))
  // A page shows one of several drawings, by the available width.
  .filter(({ text }) => text.textContent !== '' && text.closest('svg').getBoundingClientRect().width > 0);
const overlaps = texts.flatMap((one, index) => texts.slice(index + 1).flatMap((other) => {
  const meets = one.box.left < other.box.right - 1 && other.box.left < one.box.right - 1 &&
    one.box.top < other.box.bottom - 3 && other.box.top < one.box.bottom - 3;
  return meets ? [one.text.textContent + ' | ' + other.text.textContent] : [];
}));
const paperOf = (element) => {
  const colour = getComputedStyle(element).backgroundColor;
  const isClear = colour === 'transparent' || colour.endsWith(', 0)');
  return isClear && element.parentElement !== null ? paperOf(element.parentElement) : colour;
};
const faint = [...document.querySelectorAll('.chart text, p, li, td, th, h1, h2, h3, dt, dd, a, span, strong, code, pre, time')].flatMap((element) => {
  const style = getComputedStyle(element);
  const colour = element.tagName === 'text' ? style.fill : style.color;
  const isOnBar = /\\bon-|bar-text|job-text/.test(element.getAttribute('class') ?? '');
  const svgPaper = element.closest('svg')?.querySelector('.paper');
  const behind = isOnBar ? getComputedStyle(element.previousElementSibling).fill
    : svgPaper ? getComputedStyle(svgPaper).fill : paperOf(element);
  return contrast(colour, behind) < 4.5 ? [element.textContent.slice(0, 40) + ' ' + colour + ' on ' + behind] : [];
});
const small = texts.filter(({ text }) => {
  const svg = text.closest('svg');
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return parseFloat(getComputedStyle(text).fontSize) * scale < 10.9;
}).map(({ text }) => text.textContent);
// A text in a bar fits the bar.
const outside = texts.flatMap(({ text, box }) => {
  if (!/\\bon-|bar-text|job-text/.test(text.getAttribute('class') ?? '')) return [];
  const bar = text.previousElementSibling.getBoundingClientRect();
  return box.left < bar.left - 1 || box.right > bar.right + 1 ? [text.textContent] : [];
});
const cut = texts.filter(({ text, box }) => {
  const chart = text.closest('svg').getBoundingClientRect();
  return box.left < chart.left - 1 || box.right > chart.right + 1 || box.top < chart.top - 1 || box.bottom > chart.bottom + 1;
}).map(({ text }) => text.textContent);
const { scrollWidth, clientWidth } = document.documentElement;
return { width: innerWidth, charts: document.querySelectorAll('.chart').length === 0 || texts.length > 0, overlaps, faint, small, outside, cut, overflow: scrollWidth - clientWidth };
})()`;

describeWithTools({ name: 'pages in a browser', needs: ['chromium'] }, (path) => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser(path('chromium'));
  });
  afterAll(() => browser.close());

  const views = Object.keys(pages).flatMap((page) =>
    [320, 800, 1280, 1600].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => [page, width, scheme] as const),
    ),
  );

  test.each(views)(
    '%s at %i px, %s, is legible, and no label covers another',
    async (page, width, scheme) => {
      const html = pages[page as keyof typeof pages];
      await browser.show({ html, width, scheme });
      expect(await browser.evaluate(measure)).toEqual({
        width,
        charts: true,
        overlaps: [],
        faint: [],
        small: [],
        outside: [],
        cut: [],
        overflow: 0,
      });
    },
  );

  test.each(Object.entries(pages))('%s on paper covers no label with another', async (_, html) => {
    await browser.show({ html, width: 1000, scheme: 'light', media: 'print' });
    expect(await browser.evaluate(measure)).toMatchObject({
      charts: true,
      overlaps: [],
      cut: [],
      overflow: 0,
    });
  });

  test.each(Object.entries(pages))('%s runs no foreign script', async (_, html) => {
    await browser.show({
      html: html.replaceAll('alert(1)', 'window.ran=1'),
      width: 768,
      scheme: 'light',
    });
    expect(await browser.evaluate('window.ran ?? "nothing ran"')).toBe('nothing ran');
  });
});
