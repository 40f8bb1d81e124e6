import type { CommandToType, Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';

/** The typed command, as far as the next command must repeat it. */
export interface Typed {
  readonly command: string;
  /**
   * Returns the whole command, quoted for a shell and without secrets. `runner` names a single
   * stack if the command named none or several.
   */
  again(runner?: string, instead?: { readonly flag: string; readonly value: string }): string;
  /** Typed option `--config FILE`. */
  readonly config?: string;
  /** Whether HOSTED_RUNNER_DEPLOYMENT names the deployment of the command. */
  readonly isNamedByVariable?: boolean;
  /** Address of a sandbox in HOSTED_RUNNER_SANDBOX_URL. */
  readonly sandboxUrl?: string;
  /** Whether the command runs at a terminal that can prompt. */
  readonly canPrompt?: boolean;
}

export function lineOf(line: Line, typed: Typed | undefined): string {
  if (typeof line === 'string') return line;
  const command = commandOf(line, typed);
  return line.text === undefined ? command : `${line.text}: ${command}`;
}

/**
 * Formats a command as a line to paste. The typed command keeps all its options. Another command
 * keeps only the configuration file, without which it would affect another stack. An operator who
 * agreed to an option of one command, such as a kill after ten minutes, has not agreed to it for
 * another.
 */
export function commandOf(step: CommandToType, typed: Typed | undefined): string {
  const { runner, more } = step;
  const yes = step.wantsYes === true && typed?.canPrompt !== true ? ' --yes' : '';
  const last = more === undefined ? '' : ` ${more}${yes}`;
  const isTyped = 'again' in step && (step.ofAny === true || step.again === typed?.command);
  if (isTyped && typed !== undefined)
    return `${typed.again(runner, step.instead)}${last === '' ? yes : last}`;
  const command = 'again' in step ? { command: step.again } : step;
  // Next to the options that it confirms.
  const agreed = more === undefined ? yes : '';
  const stack = runner === undefined ? '' : inShell` --runner ${runner}`;
  // With a repeated id, no new deployment would start, and the command would do nothing.
  const isNamed = command.command === 'deploy' && typed?.isNamedByVariable === true;
  const empty = isNamed ? 'HOSTED_RUNNER_DEPLOYMENT=' : undefined;
  const before = command.variable ?? empty;
  const variable = before === undefined ? '' : `${before} `;
  const config = command.isAlone === true ? undefined : (typed?.config ?? command.config);
  const file = config === undefined ? '' : ` ${config}`;
  return `${variable}hosted-runner ${command.command}${agreed}${stack}${file}${last}`;
}
