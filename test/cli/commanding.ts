import { commandFirst } from '../../src/cli/command-first.ts';
import { nameOfCommand, runCommandLine } from '../../src/cli/command-line.ts';
import { readTyped } from '../../src/cli/command-text.ts';
import type { Handlers } from '../../src/cli/handler-types.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import { renderError } from '../../src/errors/render.ts';
import { withoutAddress } from '../support/without-address.ts';

/** Stacks of the configuration in these tests. */
const stacks = ['linux', 'arm'];

export interface Answer {
  exit: number;
  stdout: string;
  stderr: string;
  /** Handler that was called, with its options. */
  reached?: { name: string; options: unknown };
}

/** Runs a command line like main.ts, with handlers that only record their arguments. */
export async function type(
  given: string[],
  environment: Record<string, string> = {},
  columns?: number,
): Promise<Answer> {
  const argv = commandFirst(given);
  const answer: Answer = { exit: 0, stdout: '', stderr: '' };
  const handlers = new Proxy({} as Handlers, {
    get: (_target, name) => async (options: unknown) => {
      if (name === 'listStacks') return stacks;
      answer.reached = { name: String(name), options };
      return 0;
    },
  });
  try {
    answer.exit = await runCommandLine({
      argv,
      redact: (text) => text,
      handlers,
      environment,
      version: '1.2.3',
      columns,
      write: (text) => {
        answer.stdout += text;
      },
      writeError: (text) => {
        answer.stderr += text;
      },
    });
  } catch (error) {
    if (!(error instanceof DeployError)) throw error;
    const command = nameOfCommand(argv);
    const typed = readTyped(argv, { command, redact: (text) => text, environment });
    answer.stderr += withoutAddress(renderError(command, error.asTyped(typed).fields));
    answer.exit = error.exitCode;
  }
  return answer;
}
