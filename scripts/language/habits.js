import { basename } from 'node:path';
import { commentsIn, partsOf, withoutMarks, wordsOfName } from './code.js';
import { avoidedWords } from './glossary.js';
import { passagesIn, sentencesIn, sentencesInCell, wordsIn } from './markdown.js';

/**
 * @typedef {import('./tree.js').TextFile} TextFile
 * @typedef {'documents' | 'texts' | 'comments' | 'titles' | 'names'} Area
 * @typedef {{ area: Area, habit: string, path: string, text: string }} Finding
 */

/** Area of each passage and its rules. @type {readonly Area[]} */
export const areas = ['documents', 'texts', 'comments', 'titles', 'names'];

/** A sentence with more words is counted as long. */
export const longestSentence = 30;
/** Sentences that a table cell may have. */
export const longestCell = 2;

/** A clause in the place of a subject. */
const clause =
  /^(?:What|Whoever|Who|Whom|Whose|Of|Where|That\s(?:a|an|the|it|they|there|no|each|every|one))\s(?!is\b.*\?)/;
/** A relative clause without the name of an actor before it. */
const whoAlone =
  /(?<!\b(?:users?|operators?|engineers?|developers?|owners?|maintainers?|readers?|reviewers?|everyone|people|actor),?\s)\bwho\b/i;
/** A title that begins in mid-sentence: `grep` finds no subject and no verb. */
const fragment =
  /^(?:that|of|whose|with|by|is|are|was|were|at|from|to|and|or|but|as|for|in|on|also|not|even|still|where|until|what|who|whoever|nobody|nothing|has|have|only|so|too|under|without|while|when|if)\b/;
/** A documentation comment that leans on the name below it or on the comment above it. */
const leaning =
  /^(?:The same|Of|Where|Until|That|What|Who|Whoever|Whose|So|And|But|Also|As|In|On|By|With|Without|Nobody|It|Its|Such|Not|Too|Neither|Nor|Likewise|Whatever)\b/;

/** Verb of functions that return a verdict, and of their files. */
const judge = /^judge\b|\bjudge$/;

/** Scripts for hosts, and style sheets: string literals that no reader sees. */
const scripts = /^src\/adapters\/aws\/scripts\//;
const script = /^\s*(?:fi|done|esac|\}|\w+\(\) \{.*)$|^#!|^# |^[\w.# :-]+ \{ [\w-]+: /m;

/**
 * Finds the habits of style that the glossary and this file refuse, in all texts of a tree.
 * @param {{ files: readonly TextFile[], glossary: readonly import('./glossary.js').Rule[] }} input
 * @returns {Finding[]}
 */
export function findHabits({ files, glossary }) {
  const words = avoidedWords(glossary);
  return files.flatMap(({ path, text }) => {
    if (path.endsWith('docs/understand/glossary.md')) return [];
    const found = path.endsWith('.md') ? inDocument(text, words) : inCode(path, text, words);
    return found.map((finding) => ({ ...finding, path }));
  });
}

/** @typedef {Omit<Finding, 'path'>} Found */

/** @param {string} text @param {RegExp} words @returns {Found[]} */
function inDocument(text, words) {
  return passagesIn(text).flatMap(({ kind, text: passage }) => {
    const read = kind === 'sentence' ? inSentence : inPassage;
    const found = read({ area: 'documents', text: passage, words });
    if (kind === 'cell' && sentencesInCell(passage) > longestCell)
      found.push({ area: 'documents', habit: 'long table cell', text: passage });
    return found;
  });
}

/** @param {string} path @param {string} source @param {RegExp} words @returns {Found[]} */
function inCode(path, source, words) {
  const { texts, titles, names } = partsOf(source);
  const isTest = path.startsWith('test/');
  const found = commentsIn(source).flatMap(({ text, isDoc }) => inComment(text, isDoc, words));
  for (const title of titles) found.push(...inTitle(title, words));
  if (!isTest) {
    for (const text of scripts.test(path) ? [] : texts.filter((one) => !script.test(one)))
      for (const sentence of sentencesIn(text))
        found.push(...inPassage({ area: 'texts', text: sentence, words }));
  }
  for (const name of [...names, basename(path).replace(/\..*/, '')])
    found.push(...matches({ area: 'names', text: wordsOfName(name).replace(judge, ''), words }));
  return found;
}

/** @param {string} text @param {boolean} isDoc @param {RegExp} words @returns {Found[]} */
function inComment(text, isDoc, words) {
  const found = sentencesIn(text).flatMap((sentence) =>
    inSentence({ area: 'comments', text: sentence, words }),
  );
  if (isDoc && leaning.test(text)) found.push({ area: 'comments', habit: 'fragment', text });
  return found;
}

/** @param {string} title @param {RegExp} words @returns {Found[]} */
function inTitle(title, words) {
  const found = matches({ area: 'titles', text: withoutMarks(title), words });
  if (fragment.test(title)) found.push({ area: 'titles', habit: 'fragment', text: title });
  return found;
}

/** @param {{ area: Area, text: string, words: RegExp }} passage @returns {Found[]} */
function inSentence(passage) {
  const found = inPassage(passage);
  const { area, text } = passage;
  if (wordsIn(text) > longestSentence) found.push({ area, habit: 'long sentence', text });
  return found;
}

/** @param {{ area: Area, text: string, words: RegExp }} passage @returns {Found[]} */
function inPassage({ area, text, words }) {
  const found = matches({ area, text, words });
  if (clause.test(text)) found.push({ area, habit: 'clause as subject', text });
  if (whoAlone.test(text)) found.push({ area, habit: 'who', text });
  return found;
}

/** @param {{ area: Area, text: string, words: RegExp }} passage @returns {Found[]} */
function matches({ area, text, words }) {
  return [...text.matchAll(words)].map(([word]) => ({
    area,
    habit: word.toLowerCase().replace(/\s+/g, ' '),
    text,
  }));
}
