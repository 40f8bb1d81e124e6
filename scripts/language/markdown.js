/**
 * @typedef {{ kind: 'sentence' | 'cell' | 'heading', text: string }} Passage
 *   A sentence, a table cell, or a heading, as a reader sees it: without code marks and link targets.
 */

/** A fence, and all until its end. */
const block = /^([ \t]*)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm;

/** @param {string} markdown @returns {Passage[]} */
export function passagesIn(markdown) {
  const text = markdown.replace(block, '\n').replace(/<!--[\s\S]*?-->/g, '\n');
  /** @type {Passage[]} */
  const passages = [];
  /** @type {string[]} */
  let paragraph = [];
  const end = () => {
    for (const sentence of sentencesIn(plain(paragraph.join(' '))))
      passages.push({ kind: 'sentence', text: sentence });
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    const row = /^\s*\|(.*)\|\s*$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (row !== null || heading !== null || /^\s*(?:$|[-*+] |\d+[.)] |> )/.test(line)) end();
    if (row !== null) {
      if (/^[\s|:-]*$/.test(row[1] ?? '')) continue;
      for (const cell of (row[1] ?? '').split(/(?<!\\)\|/))
        passages.push({ kind: 'cell', text: plain(cell).trim() });
    } else if (heading !== null) passages.push({ kind: 'heading', text: plain(heading[1] ?? '') });
    else paragraph.push(line.replace(/^\s*(?:[-*+]|\d+[.)]|>)\s+/, '').trim());
  }
  end();
  return passages.filter((passage) => passage.text !== '');
}

/** Stands for a code mark: one word, which no rule reads. */
const mark = '\u2039code\u203a';

/** @param {string} text with inline Markdown */
function plain(text) {
  return text
    .replace(/(`+)[^`]*?\1/g, mark)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\*\*|__/g, '');
}

/** @param {string} text of one paragraph @returns {string[]} */
export function sentencesIn(text) {
  return text
    .split(/(?<=[.!?]["')]?)\s+(?=["'(]?(?:[\p{Lu}\u2039\d"]|hosted-runner|gitlab-runner))/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** @param {string} cell @returns {number} sentences; a semicolon begins another one */
export function sentencesInCell(cell) {
  return sentencesIn(cell).flatMap((sentence) => sentence.split(/;\s/)).length;
}

/** @param {string} text @returns {number} */
export function wordsIn(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
