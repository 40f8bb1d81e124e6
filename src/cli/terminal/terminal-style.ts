import colours from 'picocolors';
import { wrapLine } from '../../domain/text/width.ts';

/** How a stream shows what a person reads: with colours where it means something, wrapped where it ends. */
export interface TerminalStyle {
  readonly color: boolean;
  /** Of the terminal; absent where lines may be of any length: in files and pipes. */
  readonly columns: number | undefined;
}

/** Of a stream: what can be seen of a terminal. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Narrower than this nothing can be read in any form. */
const fewestColumns = 40;

/**
 * What was typed goes first, then NO_COLOR (https://no-color.org), then FORCE_COLOR, then what the
 * stream is. A file or a pipe has colours only by FORCE_COLOR, and is never wrapped.
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

/** Rows that are cut to their width already: the marks of evidence in them are coloured. */
export function paintMarks(text: string, { color }: TerminalStyle): string {
  if (!color) return text;
  const { green, red, yellow } = colours.createColors(true);
  const shades: Readonly<Record<string, (mark: string) => string>> = { '✔': green, '✖': red };
  return text.replace(/[✔✖○](?= )/gu, (mark) => (shades[mark] ?? yellow)(mark));
}

/** A heading that is clean already. */
export function emphasise(text: string, { color }: TerminalStyle): string {
  return colours.createColors(color).bold(text);
}

/** Lines that are clean already: wrapped by words, then their marks coloured. */
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
