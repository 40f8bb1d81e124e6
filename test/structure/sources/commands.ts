import { expect, test } from '@jest/globals';
import { commandNames } from '../../../src/cli/commands/command-table.ts';
import { nodesOf, readSources, type SyntaxNode } from '../source.ts';

/**
 * A command in a literal lacks `--config` and the stack. Elsewhere it is data, from which only
 * `src/errors/fix-line.ts` makes a line.
 */
const excepted: readonly (readonly [path: RegExp, why: string])[] = [
  [/^src\/errors\/fix-line\.ts$/, 'the one function'],
  [/^src\/cli\/help\//, 'help, completion, and the pages of the errors'],
  [/^src\/cli\/command-parser\.ts$/, 'the examples below a help text'],
  [/^src\/cli\/starting\/(?:starter|root-module)\.ts$/, 'files that `init` writes'],
  [/^src\/config\/layers\/variable-names\.ts$/, 'what the reference says of a variable'],
  [/^src\/report\/(?:junit|dashboard\/page)\.ts$/, 'the title of a suite, and of a page'],
];

const word = `(?:--[a-z]|\u0000|(?:${commandNames.join('|')})(?![a-z-]))`;
/** The pattern also matches a template's start and a line of several parts. */
const typedOut = new RegExp(`(?<![.\\w])hosted-runner (?:${word}|$)`);

function isWrittenOut(text: string): boolean {
  return typedOut.test(text);
}

/** Returns the texts of a node, with a mark for each inserted value. */
function textsOf(node: SyntaxNode): readonly string[] {
  if (node.type === 'StringLiteral') return [String(node['value'])];
  if (node.type !== 'TemplateLiteral') return [];
  const quasis = node['quasis'] as readonly { readonly raw: string }[];
  return [quasis.map(({ raw }) => raw).join('\u0000')];
}

const found = readSources()
  .filter(({ path }) => path.startsWith('src/'))
  .flatMap(({ path, module }) =>
    nodesOf(module)
      .flatMap(textsOf)
      .filter(isWrittenOut)
      .map((text) => ({ path, text })),
  );

test('no command is written by hand', () => {
  const left = found.filter(({ path }) => !excepted.some(([where]) => where.test(path)));
  expect(left.map(({ path, text }) => `${path}: ${text}`)).toEqual([]);
});

test.each(excepted)('the exception in %s is still needed: %s', (where) => {
  expect(found.filter(({ path }) => where.test(path)).length).toBeGreaterThan(0);
});

test.each([
  ['Next: hosted-runner finalize --runner linux', true],
  ['hosted-runner \u0000 --runner \u0000', true],
  ['All of them: hosted-runner --help', true],
  ['hosted-runner ', true],
  ['hosted-runner dashboard', true],
  ['hosted-runner replaces the runners of a stack', false],
  ['hosted-runner-deploy deploy', false],
  ['sandbox --folder .hosted-runner --port 8765', false],
])('the check counts %j as a command: %s', (text, isOne) => {
  expect(isWrittenOut(text)).toBe(isOne);
});
