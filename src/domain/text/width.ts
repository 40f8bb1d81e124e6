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
