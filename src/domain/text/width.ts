/** Letters of East Asia and pictures take two columns of a terminal, marks on top of a letter none. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Of text on one line, in columns of a terminal. */
export function columnsOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + columnsOfLetter(letter), 0);
}

/** As much of it as fits; what is cut off is an ellipsis. */
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

/** Boxes keep their lines, and what moves the cursor has none. */
const asItStands = /[│┌├└\u001b\r]/u;
/** Indentation, with the mark or label that stands in front of the words. */
const front = /^ *(?:[✔✖⚠!·$] |(?:why|now|fix|ref|seen|plan|do|type|cause)(?: {2,}|(?=$)))?/u;
/**
 * What is to be pasted, up to the next sentence: a line break inside of it would be pasted, too. Its end
 * is found whatever stands in it: a search that fails would try every way to pair the quotes.
 */
const command =
  /(?<=^|[:.] )hosted-runner (?!replaces\b)(?:'[^']*'|"[^"]*"|.)*?(?:$|\.(?= [A-Z]))/gsu;

/**
 * One line as lines of at most so many columns, broken between words and hanging below its first word.
 * A command to be typed gets a line of its own and is left whole; so is a word that is too long.
 */
export function wrapLine(line: string, columns: number): string[] {
  if (columnsOf(line) <= columns || asItStands.test(line)) return [line];
  const [start = ''] = front.exec(line) ?? [];
  const hanging = ' '.repeat(Math.min(hangingOf(start), Math.floor(columns / 2)));
  const rest = line.slice(start.length);
  const lines: string[] = [];
  const margin = () => (lines.length === 0 ? start : hanging);
  const say = (prose: string) => {
    if (prose !== '') lines.push(...filled(prose, { start: margin(), hanging, columns }));
  };
  let writtenUpTo = 0;
  for (const { 0: typed, index } of rest.matchAll(command)) {
    say(rest.slice(writtenUpTo, index).trim());
    lines.push(`${margin()}${typed}`);
    writtenUpTo = index + typed.length;
  }
  say(rest.slice(writtenUpTo).trim());
  return lines;
}

/** Plain text hangs by two more than it is indented, so that the next line is not taken for another. */
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
