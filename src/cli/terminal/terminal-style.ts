import colours from 'picocolors';
import { wrapLine } from '../../domain/text/width.ts';

/** Style of a stream for people: with or without colours, and wrapped at its width. */
export interface TerminalStyle {
  readonly color: boolean;
  /** Width of the terminal; absent for files and pipes, whose lines may have any length. */
  readonly columns: number | undefined;
}

/** Visible properties of a stream. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Minimum width: narrower text is unreadable in any form. */
const fewestColumns = 40;

/**
 * Chooses the style. An option takes precedence over NO_COLOR (https://no-color.org), then
 * FORCE_COLOR, then the type of the stream. A file or a pipe has colours only with FORCE_COLOR, and
 * is never wrapped.
 */
export function styleFor(
  { isTTY = false, columns }: Screen,
  {
    argv,
    environment,
  }: {
    argv: readonly string[];
    environment: Readonly<Record<string, string | undefined>>;
  },
): TerminalStyle {
  const set = (name: string) => (environment[name] ?? '') !== '';
  const refused = argv.includes('--no-color') || set('NO_COLOR');
  const forced = set('FORCE_COLOR');
  const wanted = forced
    ? !['0', 'false'].includes(environment['FORCE_COLOR'] ?? '')
    : isTTY && environment['TERM'] !== 'dumb';
  return {
    color: wanted && !refused,
    columns: isTTY && columns !== undefined && columns >= fewestColumns ? columns : undefined,
  };
}

/** Colours the marks of evidence in rows that are already cut to their width. */
export function paintMarks(text: string, { color }: TerminalStyle): string {
  if (!color) return text;
  const { green, red, yellow } = colours.createColors(true);
  const shades: Readonly<Record<string, (mark: string) => string>> = { '✔': green, '✖': red };
  return text.replace(/[✔✖○](?= )/gu, (mark) => (shades[mark] ?? yellow)(mark));
}

/** Emphasises a heading without secrets. */
export function emphasise(text: string, { color }: TerminalStyle): string {
  return colours.createColors(color).bold(text);
}

/** Wraps lines without secrets by words, and colours their marks. */
export function dress(text: string, { color, columns }: TerminalStyle): string {
  if (!color && columns === undefined) return text;
  const paint = colours.createColors(color);
  const rules: readonly (readonly [RegExp, (mark: string) => string])[] = [
    [/^( *)(✖)(?= )/, paint.red],
    [/^( *)(✔)(?= )/, paint.green],
    [/^( *)([!⚠])(?= )/, paint.yellow],
    [/^( {2})(now)(?= {2})/, paint.cyan],
    [/^( {2})(fix|type)(?= {2})/, paint.green],
    [/^( {2})(why|ref|seen)(?= {2})/, paint.dim],
    [/^()(HELD|CONTRADICTION|TOKEN|VERSION)(?= )/, paint.yellow],
    [/^( {2})(HELD|TOKEN|VERSION)(?= )/, paint.yellow],
  ];
  return text
    .split('\n')
    .flatMap((line) => (columns === undefined ? [line] : wrapLine(line, columns)))
    .map((line) => {
      const [pattern, shade] = rules.find(([one]) => one.test(line)) ?? [];
      if (pattern === undefined || shade === undefined) return line;
      return line.replace(pattern, (_all, before: string, mark: string) => before + shade(mark));
    })
    .join('\n');
}
