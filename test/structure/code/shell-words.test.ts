import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { commandNames } from '../../../src/cli/commands/command-table.ts';
import { nodesOf, readSources, type SyntaxNode } from '../source.ts';

/** Parts of a command in `domain/text/line-to-type.ts`, which a shell parses. */
const ofCommands = new Set(['more', 'command', 'again', 'config', 'variable']);

/**
 * Matches programs that a pasted line starts, at its start or after a colon. The product also is the
 * subject of sentences: only its commands count.
 */
const program = new RegExp(
  `(?:^|[:;,] |then )(?:[A-Z_]+=\\S* )?(?:(?:aws|cat|curl|docker|export|git|kill|ssh|sudo|tail|terraform|tofu|unset) [-\\u0000\\w]|hosted-runner (?:\\u0000|(?:${commandNames.join('|')})\\b))`,
);

/**
 * Files with sentences that only resemble commands, and with a job's script, which is never pasted.
 */
const prose =
  /^(?:src\/adapters\/aws\/hosts\/reachability|src\/adapters\/terraform\/tfstate\/state-rescue|src\/report\/junit|sandbox\/demo\/(?:as-printed|run\/[\w-]+)|sandbox\/gitlab\/jobs\/definitions)\.ts$/;

interface Template {
  /** Expressions; absent in a template literal type. */
  readonly expressions?: readonly SyntaxNode[];
  readonly quasis: readonly { readonly raw: string }[];
}

/** Lists command templates with values that are not quoted as shell words. */
function unquotedIn(module: unknown): string[] {
  const nodes = nodesOf(module);
  const tagged = new Set(
    nodes.filter(({ type }) => type === 'TaggedTemplateExpression').map(({ template }) => template),
  );
  const inCommands = new Set(
    nodes
      .filter(({ type, key }) => type === 'KeyValueProperty' && ofCommands.has(nameOf(key)))
      .map(({ value }) => value),
  );
  return nodes
    .filter((node) => node.type === 'TemplateLiteral' && !tagged.has(node))
    .filter((node) => ((node as unknown as Template).expressions ?? []).length > 0)
    .filter((node) => {
      const text = textOf(node as unknown as Template);
      return inCommands.has(node) || program.test(text);
    })
    .map((node) => textOf(node as unknown as Template).replaceAll('\0', '…'));
}

function nameOf(key: unknown): string {
  return String((key as { value?: unknown }).value);
}

function textOf({ quasis }: Template): string {
  return quasis.map(({ raw }) => raw).join('\0');
}

describe('a printed command with a value', () => {
  // Scripts of a host and the sandbox's programs have their own quoting and are never pasted.
  const sources = readSources().filter(
    ({ path }) =>
      /^(?:src|sandbox)\//.test(path) &&
      !/^(?:src\/adapters\/aws\/scripts|sandbox\/(?:hosts|manager|actions-runner))\//.test(path) &&
      !prose.test(path),
  );

  test('contains inShell in every source', () => {
    const found = sources.flatMap(({ path, module }) =>
      unquotedIn(module).map((text) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ['a part of a command', 'const a = { more: `--shard ${shard}` };', 1],
    ['a line with a program', 'const a = `Undo it: aws ssm put-parameter --name ${name}`;', 1],
    ['a variable before the program', 'const a = `Or: TF_DATA_DIR=${d} terraform x`;', 1],
    ['a command of the product', 'const a = `Then: hosted-runner rollback --runner ${x}`;', 1],
    ['the product as a subject', 'const a = `hosted-runner does not pause ${x}.`;', 0],
    ['the program as a value', 'const a = `export ${name}=1`;', 1],
    ['a tagged one', 'const a = { more: inShell`--shard ${shard}` };', 0],
    ['prose', 'const a = `${shard} is left: ${reason}`;', 0],
  ])('the check finds %s', (_name, text, count) => {
    const module = parseSync(text, { syntax: 'typescript', target: 'es2022' });
    expect(unquotedIn(module)).toHaveLength(count);
  });
});
