import { expect, test } from '@jest/globals';
import { filesBelow, read } from './tree.ts';

/** Rooms that decide, and what they hand their reasons to; adapters read what others have said. */
const rooms = ['app', 'cli', 'config', 'domain', 'errors', 'operator', 'ports', 'report', 'stages'];

const words = 'reasons?|message|detail|says|said|told|why|what|summary|title|because|step|command';
const asked = new RegExp(
  `\\b(?:${words})\\b[)]?\\??\\.(?:includes|startsWith|endsWith|match|search|indexOf)\\(` +
    `|/[a-z]*\\.(?:test|exec)\\((?:[\\w.]+\\.)?(?:${words})\\)`,
);

/** Words of commander's that no field holds. They choose which advice is printed. */
const excepted = ['src/cli/command-line.ts: return options.find(({ flags }) => message.includes('];

/** In that file, and nowhere else. */
function isExcepted(line: string, one: string): boolean {
  const [path = '', ...text] = one.split(': ');
  return line.startsWith(`${path}: `) && line.includes(text.join(': '));
}

test('no decision reads prose', () => {
  const found = rooms
    .flatMap((room) => filesBelow(`src/${room}`))
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => asked.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
    .filter((line) => !excepted.some((one) => isExcepted(line, one)));
  expect(found).toEqual([]);
});

/** Whom a failure says that was asked is a text of ours, for people; its path is there for decisions. */
const askedOfSource =
  /\bsource\)?\??\.(?:includes|startsWith|endsWith|match)\(|\.(?:test|exec)\([\w.]*\bsource\)/;

test('no adapter reads what it has said itself', () => {
  const found = filesBelow('src/adapters').flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => askedOfSource.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
  expect('/^GitLab GET /.test(error.source)').toMatch(askedOfSource);
});

test.each([
  "if (verdict.reasons.some((reason) => reason.includes('canary'))) return;",
  "if (error.message.startsWith('503')) return;",
  'if (/gone/i.test(error.detail)) return;',
  "steps.some((step) => step.includes('hosted-runner provision'))",
])('it would be seen: %s', (line) => {
  expect(line).toMatch(asked);
});
