import { describe, expect, test } from '@jest/globals';
import { avoidedWords, rulesOf } from '../../scripts/language/glossary.js';
import { type Area, findHabits } from '../../scripts/language/habits.js';
import { passagesIn, sentencesIn, sentencesInCell } from '../../scripts/language/markdown.js';
import { filesBelow, read } from './tree.ts';

const glossary = rulesOf(read('docs/understand/glossary.md'));
const paths = filesBelow('.').filter(
  (path) => /\.(?:md|ts|js)$/.test(path) && !/^(?:dist|test\/fixtures)\//.test(path),
);

/** Findings that remain, by area, with the reason. */
const allowed: Readonly<Record<Area, readonly [most: number, reason: string]>> = {
  documents: [0, ''],
  texts: [0, ''],
  comments: [0, ''],
  titles: [0, ''],
  names: [
    16,
    'keys of evidence, records, JSON and the stored state of the sandbox, and calls that evidence names',
  ],
};

describe('language', () => {
  const findings = findHabits({
    files: paths.map((path) => ({ path, text: read(path) })),
    glossary,
  });

  test.each(Object.entries(allowed))(
    '%s have no habit beyond those with a reason',
    (area, [most]) => {
      const found = findings.filter((finding) => finding.area === area);
      const shown = found.map(({ path, habit, text }) => `${path}: ${habit}: ${text}`);
      expect(found.length > most ? shown : []).toEqual([]);
    },
  );
});

/** Counts the words of a page like `wc -w`. */
const wordsOf = (path: string) => read(path).split(/\s+/).filter(Boolean).length;

/** Pages that `npm run generate` writes, each from one source. */
const references = [
  'docs/operate/diagnosis.md',
  'docs/use/configuration.md',
  'docs/use/inputs-github.md',
  'docs/use/inputs-gitlab.md',
];

test.each([
  [['README.md'], 1_200],
  // 22,000 words, and subjects that were missing: existing runners, Terraform's role, and ten steps
  // to a real stack, for GitLab and for GitHub.
  [['docs/use', 'docs/operate'], 23_600],
  [['docs/understand'], 6_000],
])('%j have at most %i words, generated references apart', (folders, most) => {
  const pages = paths.filter(
    (path) => folders.some((folder) => path.startsWith(folder)) && !references.includes(path),
  );
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.map(wordsOf).reduce((sum, words) => sum + words, 0)).toBeLessThanOrEqual(most);
});

describe('the language counts', () => {
  test('read the words that the glossary refuses, with the term to use', () => {
    const table = [
      '| term | definition | do not use |',
      '| --- | --- | --- |',
      '| fix | Repair. | mend, mends |',
      '',
      '| do not use | use |',
      '| --- | --- |',
      '| anew | again |',
    ];
    const rules = rulesOf(table.join('\n'));
    expect(rules).toEqual([
      { use: 'fix', avoid: 'mend' },
      { use: 'fix', avoid: 'mends' },
      { use: 'again', avoid: 'anew' },
    ]);
    expect('Mend it, recommend it, start anew.'.match(avoidedWords(rules))).toEqual([
      'Mend',
      'anew',
    ]);
  });

  test.each([
    ['document.md', 'A run says nothing.', ['documents: says']],
    ['document.md', 'Whoever runs it.', ['documents: clause as subject', 'documents: whoever']],
    ['document.md', 'The field `says` is code.', []],
    ['document.md', `${'word '.repeat(31)}.`, ['documents: long sentence']],
    ['document.md', '| One. Two. Three. |', ['documents: long table cell']],
    ['src/a.ts', "log('The host says nothing.');", ['texts: says']],
    ['src/a.ts', "const kind = 'says';", []],
    ['src/a.ts', '/** Of the run. */', ['comments: clause as subject', 'comments: fragment']],
    ['src/a.ts', '/** Lock of the run. */', []],
    ['src/a.ts', 'const whoSays = 1;', ['names: says']],
    ['src/who-says.ts', '', ['names: says']],
    ['src/a.ts', 'interface Host { says: string; look(): void }', ['names: look', 'names: says']],
    ['test/a.test.ts', "test('is idle', check);", ['titles: fragment']],
    ['test/a.test.ts', "test.each(rows)('an idle host counts as idle', check);", []],
  ])('find %s: %s', (path, text, expected) => {
    const found = findHabits({ files: [{ path, text }], glossary });
    expect(found.map(({ area, habit }) => `${area}: ${habit}`).sort()).toEqual(expected);
  });

  test('split sentences at their ends, not at file names or abbreviations of versions', () => {
    expect(sentencesIn('Read main.ts of 17.5. It starts. hosted-runner ends.')).toHaveLength(3);
    expect(sentencesInCell('One; two. Three')).toBe(3);
  });

  test('read documents as a reader sees them', () => {
    const text =
      '# Title\n\n```sh\nnot read\n```\n\n- One [link](a.md).\n- Two.\n\n| a | b |\n| --- | --- |\n';
    expect(passagesIn(text)).toEqual([
      { kind: 'heading', text: 'Title' },
      { kind: 'sentence', text: 'One link.' },
      { kind: 'sentence', text: 'Two.' },
      { kind: 'cell', text: 'a' },
      { kind: 'cell', text: 'b' },
    ]);
  });
});
