/** Model of a terminal's screen, limited to the sequences that the program uses. */
export interface Screen {
  write(text: string): void;
  /** Wraps long rows like terminals with reflow. The cursor stays at its text. */
  resize(columns: number): void;
  rows(): readonly string[];
}

/** Token of the text: an escape sequence, a control character, or a letter. */
const token = /\u001b\[(\??)([\d;]*)([A-Za-z])|\u001b\[?[\d;?]*$|[\s\S]/gu;

export function openScreen(given: number): Screen {
  let columns = given;
  let rows: string[][] = [[]];
  let at = { row: 0, column: 0 };
  let unread = '';

  function put(letter: string): void {
    if (at.column === columns) at = { row: at.row + 1, column: 0 };
    rows[at.row] ??= [];
    const row = rows[at.row] as string[];
    while (row.length < at.column) row.push(' ');
    row[at.column] = letter;
    at.column += 1;
  }

  function order(isPrivate: boolean, given: string, letter: string): void {
    const count = Number(given === '' ? 1 : given);
    rows[at.row] ??= [];
    const row = rows[at.row] as string[];
    if (isPrivate || letter === 'm') return;
    if (letter === 'A') at.row = Math.max(0, at.row - count);
    else if (letter === 'B') at.row += count;
    else if (letter === 'G') at.column = count - 1;
    else if (letter === 'K' && given === '2') rows[at.row] = [];
    else if (letter === 'K') row.length = Math.min(row.length, at.column);
    else if (letter === 'J' && given === '0') {
      row.length = Math.min(row.length, at.column);
      rows.length = at.row + 1;
    } else throw new Error(`No terminal of ours knows ${JSON.stringify(`${given}${letter}`)}.`);
  }

  return {
    write(text) {
      const all = unread + text;
      unread = '';
      for (const found of all.matchAll(token)) {
        const [whole, mark, digits = '', letter] = found;
        if (letter !== undefined) order(mark === '?', digits, letter);
        else if (whole.startsWith('\u001b')) unread = whole;
        else if (whole === '\r') at.column = 0;
        else if (whole === '\n') {
          at.row += 1;
          rows[at.row] ??= [];
        } else put(whole);
      }
    },
    resize(next) {
      const broken: string[][] = [];
      let moved = at;
      for (const [index, row] of rows.entries()) {
        if (index === at.row) moved = { row: broken.length, column: Math.min(at.column, next) };
        for (let start = 0; start === 0 || start < row.length; start += next)
          broken.push(row.slice(start, start + next));
      }
      rows = broken;
      columns = next;
      at = moved;
    },
    rows: () => rows.map((row) => row.join('').trimEnd()),
  };
}
