import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { renderReport } from '../../sandbox/demo/report/page.ts';
import { renderTimeline } from '../../src/report/timeline.ts';
import { tellProvision } from '../report/running.ts';
import { smallStory } from '../sandbox/demo/stories.ts';
import { describeWithTools } from '../support/tools.ts';

const pages = {
  'timeline.html': renderTimeline(tellProvision()),
  'report.html': renderReport(smallStory()),
};

/** Runs in the browser: where texts stand in each other's way, what sticks out, and how it is to be read. */
const measure = `
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
const texts = [...document.querySelectorAll('.chart text')].map((text) => ({ text, box: text.getBoundingClientRect() }));
const overlaps = texts.flatMap((one, index) => texts.slice(index + 1).flatMap((other) => {
  const meets = one.box.left < other.box.right - 1 && other.box.left < one.box.right - 1 &&
    one.box.top < other.box.bottom - 3 && other.box.top < one.box.bottom - 3;
  return meets ? [one.text.textContent + ' | ' + other.text.textContent] : [];
}));
const paper = getComputedStyle(document.body).backgroundColor;
const faint = [...document.querySelectorAll('.chart text, p, li, td, th, h1, h2')].flatMap((element) => {
  const style = getComputedStyle(element);
  const colour = element.tagName === 'text' ? style.fill : style.color;
  const bar = element.previousElementSibling;
  const behind = element.classList.contains('bar-text') ? getComputedStyle(bar).fill : paper;
  return contrast(colour, behind) < 4.5 ? [element.textContent.slice(0, 40) + ' ' + colour + ' on ' + behind] : [];
});
const small = texts.filter(({ box }) => box.height < 10).map(({ text }) => text.textContent);
const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
document.body.innerHTML = '<pre id="measured"></pre>';
document.getElementById('measured').textContent = JSON.stringify({ texts: texts.length, overlaps, faint, small, overflow });
`;

describeWithTools({ name: 'pages in a browser', needs: ['chromium'] }, (path) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const looks = Object.keys(pages).flatMap((page) =>
    [320, 768, 1280, 1600].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => [page, width, scheme] as const),
    ),
  );

  test.each(looks)(
    '%s at %i px, %s, is legible, and no label covers another',
    (page, width, scheme) => {
      const file = join(folder, page);
      // The page itself allows no script, which is what measures it.
      const open = (pages[page as keyof typeof pages] ?? '')
        .replace(/<meta http-equiv=[^>]*>/, '')
        .replace('</body>', `<script>${measure}</script></body>`);
      writeFileSync(file, open);
      const { stdout } = spawnSync(
        path('chromium'),
        [
          '--headless=new',
          '--no-sandbox',
          '--disable-gpu',
          '--hide-scrollbars',
          `--user-data-dir=${join(folder, 'profile')}`,
          `--window-size=${width},900`,
          ...(scheme === 'dark'
            ? ['--blink-settings=preferredColorScheme=0']
            : ['--blink-settings=preferredColorScheme=1']),
          '--dump-dom',
          `file://${file}`,
        ],
        { encoding: 'utf8' },
      );
      const [, json = '{}'] = /<pre id="measured">([^<]*)<\/pre>/.exec(stdout) ?? [];
      const measured = JSON.parse(
        json.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
      );
      expect(measured.texts).toBeGreaterThan(3);
      expect({ ...measured, texts: 0 }).toEqual({
        texts: 0,
        overlaps: [],
        faint: [],
        small: [],
        overflow: 0,
      });
    },
  );
});
