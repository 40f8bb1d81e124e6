import { describe, expect, test } from '@jest/globals';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Handlers } from '../../src/cli/handler-types.ts';
import { filesBelow, read } from '../structure/tree.ts';

const documents = filesBelow('.').filter((path) => /^(?:README|docs\/.*)\.md$/.test(path));

/** Handlers that do nothing: what is asked is whether the command line is one. */
const handlers = new Proxy({} as Handlers, { get: () => () => Promise.resolve(0) });

describe('commands that are shown', () => {
  test.each(documents.filter((path) => commandsIn(read(path)).length > 0))(
    '%s shows only command lines that the program takes',
    async (path) => {
      const refused: string[] = [];
      for (const line of commandsIn(read(path))) {
        await take(line).catch((error: unknown) => refused.push(`${line}: ${String(error)}`));
      }
      expect(refused).toEqual([]);
    },
  );
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

/** In code: on a line of its own, or between backticks; with what a person would put in. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^hosted-runner .*$/gm)].map(([line]) => line);
  // Between backticks a command without options is only its name.
  const inline = [...text.matchAll(/`(hosted-runner [^`\n]*)`/g)].map(([, line = '']) =>
    line.includes(' --') ? line : `${line} --help`,
  );
  const printed = [...text.matchAll(/: (hosted-runner [a-z][^`'\n]*)[`'\n]/g)].map(
    ([, line = '']) => line,
  );
  return [...blocks, ...inline, ...printed].map(completed).filter((line) => line.includes(' '));
}

function completed(line: string): string {
  return line
    .replace(/\s+#.*$/, '')
    .replace(/[.,;]$/, '')
    .replace(/--instance ID\b/, '--instance i-0abc0123456789def')
    .replace(/\b(?:COMMAND|NAME)\b/g, (word) => (word === 'NAME' ? 'linux' : 'status'));
}
