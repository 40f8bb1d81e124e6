import { describe, expect, test } from '@jest/globals';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Handlers } from '../../src/cli/handler-types.ts';
import { filesBelow, read } from '../structure/tree.ts';

const documents = filesBelow('.').filter((path) => /^(?:README|docs\/.*)\.md$/.test(path));

/** Handlers without effect: the tests only check the command lines. */
const handlers = new Proxy({} as Handlers, { get: () => () => Promise.resolve(0) });

describe('commands in the documentation', () => {
  test.each(documents.filter((path) => commandsIn(read(path)).length > 0))(
    '%s shows only valid command lines',
    async (path) => {
      const refused: string[] = [];
      for (const line of commandsIn(read(path))) {
        await take(line).catch((error: unknown) => refused.push(`${line}: ${String(error)}`));
      }
      expect(refused).toEqual([]);
    },
  );

  test('contain no --yes, because a reader at a terminal is prompted before a removal', () => {
    const commands = documents.flatMap((path) => commandsIn(read(path)));
    const prompting = commands.filter((line) =>
      /^hosted-runner (?:recover|doctor .*--fix)/.test(line),
    );
    expect(prompting.length).toBeGreaterThan(20);
    expect(prompting.filter((line) => line.includes(' --yes'))).toEqual([]);
  });
});

function take(line: string): Promise<unknown> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
  return runCommandLine({
    argv: words.slice(1).filter((word) => word !== undefined),
    redact: (text) => text,
    environment: {},
    version: '0.0.0',
    handlers,
    write: () => {},
    writeError: () => {},
  });
}

/** Commands in fenced blocks, alone on a line or after a colon, and in inline code. */
function commandsIn(text: string): string[] {
  const fenced = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)].map(
    ([, block = '']) => block,
  );
  const shown = fenced.flatMap((block) => [
    ...block.matchAll(/^(hosted-runner .*)$|: (hosted-runner [a-z].*)$/gm),
  ]);
  const blocks = shown.map(([, alone, after]) => alone ?? after ?? '');
  // Inline code without options only names a command.
  const inline = [...text.matchAll(/`([^`\n]*: )?(hosted-runner [^`\n]*)`/g)].map(
    ([, label, line = '']) =>
      label !== undefined || line.includes(' --') ? line : `${line} --help`,
  );
  return [...blocks, ...inline].map(completed).filter((line) => line.includes(' '));
}

function completed(line: string): string {
  return line
    .replace(/\s+#.*$/, '')
    .replace(/[.,;]$/, '')
    .replace(/--instance ID\b/, '--instance i-0abc0123456789def')
    .replace(/\b(?:COMMAND|NAME)\b/g, (word) => (word === 'NAME' ? 'linux' : 'status'));
}
