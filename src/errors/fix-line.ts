/** A line of an error's `fix`: a sentence, or one that ends with a command of ours for a stack. */
export type FixLine = string | Step;

export type Step = CommandToType & {
  /** What stands before the colon. */
  readonly say: string;
};

/** A command of ours; how it is typed depends on what was typed before it. */
export type CommandToType = {
  readonly runner?: string;
  /** Options that come last. */
  readonly more?: string;
} & (
  | { readonly command: string }
  /** The command that went wrong, once more; another one where it was not the one that was typed. */
  | { readonly again: string }
);

/** The command that was typed, as far as whoever types the next one has to repeat it. */
export interface Typed {
  readonly command: string;
  /** All of it, quoted for a shell, without secrets; for one stack, where it named none or several. */
  again(runner?: string): string;
  /** `--config FILE` of it. */
  readonly config?: string;
}

export function lineOf(line: FixLine, typed?: Typed): string {
  return typeof line === 'string' ? line : `${line.say}: ${commandOf(line, typed)}`;
}

/**
 * The one place where a command becomes a line to paste. The same command keeps every option that it was
 * given. Another one keeps the file alone, or it would be about another stack: an option that was right
 * for the one, a kill after ten minutes perhaps, was never agreed to for the other.
 */
export function commandOf(step: CommandToType, typed?: Typed): string {
  const { runner, more } = step;
  const last = more === undefined ? '' : ` ${more}`;
  if ('again' in step && step.again === typed?.command) return `${typed.again(runner)}${last}`;
  const command = 'again' in step ? step.again : step.command;
  const stack = runner === undefined ? '' : ` --runner ${runner}`;
  const config = typed?.config === undefined ? '' : ` ${typed.config}`;
  return `hosted-runner ${command}${stack}${config}${last}`;
}
