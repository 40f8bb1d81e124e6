import type { CommandToType, Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';

/** The command that was typed, as far as whoever types the next one has to repeat it. */
export interface Typed {
  readonly command: string;
  /** All of it, quoted for a shell, without secrets; for one stack, where it named none or several. */
  again(runner?: string): string;
  /** `--config FILE` of it. */
  readonly config?: string;
  /** HOSTED_RUNNER_DEPLOYMENT names the deployment that the command belongs to. */
  readonly isNamedByVariable?: boolean;
  /** Whoever typed it sits at a terminal, and is asked there. */
  readonly canPrompt?: boolean;
}

export function lineOf(line: Line, typed: Typed | undefined): string {
  if (typeof line === 'string') return line;
  const command = commandOf(line, typed);
  return line.say === undefined ? command : `${line.say}: ${command}`;
}

/**
 * The one place where a command becomes a line to paste. The same command keeps every option that it was
 * given. Another one keeps the file alone, or it would be about another stack: an option that was right
 * for the one, a kill after ten minutes perhaps, was never agreed to for the other.
 */
export function commandOf(step: CommandToType, typed: Typed | undefined): string {
  const { runner, more } = step;
  const yes = step.wantsYes === true && typed?.canPrompt !== true ? ' --yes' : '';
  const last = more === undefined ? '' : ` ${more}${yes}`;
  const isTyped = 'again' in step && (step.ofAny === true || step.again === typed?.command);
  if (isTyped && typed !== undefined) return `${typed.again(runner)}${last === '' ? yes : last}`;
  const command = 'again' in step ? { command: step.again } : step;
  // Beside the options that it agrees to.
  const agreed = more === undefined ? yes : '';
  const stack = runner === undefined ? '' : inShell` --runner ${runner}`;
  // A deployment that is named again is not a new one, and the command would do nothing.
  const isNamed = command.command === 'deploy' && typed?.isNamedByVariable === true;
  const empty = isNamed ? 'HOSTED_RUNNER_DEPLOYMENT=' : undefined;
  const before = command.variable ?? empty;
  const variable = before === undefined ? '' : `${before} `;
  const config = command.isAlone === true ? undefined : (typed?.config ?? command.config);
  const file = config === undefined ? '' : ` ${config}`;
  return `${variable}hosted-runner ${command.command}${agreed}${stack}${file}${last}`;
}
