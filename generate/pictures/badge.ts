import { element, join } from '../../src/report/drawing/elements.ts';

const letterWidth = 6.6;
const padding = 8;

/** Renders a name and its value as a file of the project, independent of any badge server. */
export function renderBadge(name: string, value: string): string {
  const widths = [name, value].map((text) => Math.round(text.length * letterWidth) + 2 * padding);
  const [left = 0, right = 0] = widths;
  const text = (of: string, x: number) => element('text', { x, y: 14 }, [of]);
  const drawing = element(
    'svg',
    {
      viewBox: `0 0 ${left + right} 20`,
      width: left + right,
      height: 20,
      role: 'img',
      'aria-label': `${name}: ${value}`,
      xmlns: 'http://www.w3.org/2000/svg',
    },
    [
      {
        markup:
          '<style>text { fill: #ffffff; font: 11px "DejaVu Sans", Verdana, sans-serif; text-anchor: middle; } .name { fill: #4b4b55; } .value { fill: #0072b2; }</style>',
      },
      element('rect', { class: 'name', width: left, height: 20 }),
      element('rect', { class: 'value', x: left, width: right, height: 20 }),
      text(name, left / 2),
      text(value, left + right / 2),
    ],
  );
  return `${join([drawing])}\n`;
}
