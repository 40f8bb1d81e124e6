/** East Asian characters and emoji take two terminal columns, combining marks none. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Returns the terminal columns of one line. */
export function columnsOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + columnsOfLetter(letter), 0);
}

/** Cuts a text to a width; an ellipsis replaces the rest. */
export function cutToColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let cut = '';
  let used = 0;
  for (const letter of text) {
    used += columnsOfLetter(letter);
    if (used > columns - 1) break;
    cut += letter;
  }
  return columns < 1 ? '' : `${cut}…`;
}

function columnsOfLetter(letter: string): number {
  if (/\p{M}/u.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

/** Boxes keep their lines, and lines that move the cursor are not wrapped. */
const asItStands = /[│┌├└\u001b\r]/u;
/** Indentation, with the mark or label before the text. */
const front = /^ *(?:[✔✖⚠!·$] |(?:why|now|fix|ref|seen|plan|do|type|cause)(?: {2,}|(?=$)))?/u;
/**
 * A command to paste, up to the next sentence: a line break inside it would be pasted too. The
 * pattern always finds an end, because a failing search would try every pairing of quotes.
 */
const command =
  /(?<=^|[:.] )hosted-runner (?!replaces\b)(?:'[^']*'|"[^"]*"|.)*?(?:$|\.(?= [A-Z]))/gsu;

/**
 * Wraps a line between words, with a hanging indent. A command to type gets a whole line, and an
 * overlong word stays whole.
 */
export function wrapLine(line: string, columns: number): string[] {
  if (columnsOf(line) <= columns || asItStands.test(line)) return [line];
  const [start = ''] = front.exec(line) ?? [];
  const hanging = ' '.repeat(Math.min(hangingOf(start), Math.floor(columns / 2)));
  const rest = line.slice(start.length);
  const lines: string[] = [];
  const margin = () => (lines.length === 0 ? start : hanging);
  const addProse = (prose: string) => {
    if (prose !== '') lines.push(...filled(prose, { start: margin(), hanging, columns }));
  };
  let writtenUpTo = 0;
  for (const { 0: typed, index } of rest.matchAll(command)) {
    addProse(rest.slice(writtenUpTo, index).trim());
    lines.push(`${margin()}${typed}`);
    writtenUpTo = index + typed.length;
  }
  addProse(rest.slice(writtenUpTo).trim());
  return lines;
}

/**
 * Indents wrapped plain text by two more columns: the next line is then not mistaken for another
 * one.
 */
function hangingOf(start: string): number {
  const isMarked = start.trim() !== '';
  return isMarked ? columnsOf(start) : columnsOf(start) + 2;
}

interface Margins {
  readonly start: string;
  readonly hanging: string;
  readonly columns: number;
}

function filled(text: string, { start, hanging, columns }: Margins): string[] {
  const lines: string[] = [];
  let current = start;
  let isEmpty = true;
  for (const word of text.split(/ +/)) {
    if (isEmpty) current += word;
    else if (columnsOf(current) + 1 + columnsOf(word) <= columns) current += ` ${word}`;
    else {
      lines.push(current);
      current = hanging + word;
    }
    isEmpty = false;
  }
  return [...lines, current];
}
