import { expect, test } from '@jest/globals';
import { filesBelow, read } from './tree.ts';

/**
 * Folders that decide, and the parameters for their reasons. Adapters read the texts of other
 * systems.
 */
const folders = [
  'app',
  'cli',
  'config',
  'domain',
  'errors',
  'operator',
  'ports',
  'report',
  'stages',
];

const words = 'reasons?|message|detail|says|said|told|why|what|summary|title|because|step|command';
const textDecision = new RegExp(
  `\\b(?:${words})\\b[)]?\\??\\.(?:includes|startsWith|endsWith|match|search|indexOf)\\(` +
    `|/[a-z]*\\.(?:test|exec)\\((?:[\\w.]+\\.)?(?:${words})\\)`,
);

/** Texts of commander without a field. They decide which advice is printed. */
const excepted = ['src/cli/command-line.ts: return options.find(({ flags }) => message.includes('];

/** Decides whether the exception applies to this file and line. */
function isExcepted(line: string, one: string): boolean {
  const [path = '', ...text] = one.split(': ');
  return line.startsWith(`${path}: `) && line.includes(text.join(': '));
}

test('no decision reads the text of a message', () => {
  const found = folders
    .flatMap((folder) => filesBelow(`src/${folder}`))
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => textDecision.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
    .filter((line) => !excepted.some((one) => isExcepted(line, one)));
  expect(found).toEqual([]);
});

/** The source of a failure is a text for readers. Decisions use its path. */
const sourceDecision =
  /\bsource\)?\??\.(?:includes|startsWith|endsWith|match)\(|\.(?:test|exec)\([\w.]*\bsource\)/;

test('no adapter reads its own text', () => {
  const found = filesBelow('src/adapters').flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => sourceDecision.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
  expect('/^GitLab GET /.test(error.source)').toMatch(sourceDecision);
});

test.each([
  "if (verdict.reasons.some((reason) => reason.includes('canary'))) return;",
  "if (error.message.startsWith('503')) return;",
  'if (/gone/i.test(error.detail)) return;',
  "steps.some((step) => step.includes('hosted-runner provision'))",
])('the check finds %s', (line) => {
  expect(line).toMatch(textDecision);
});
