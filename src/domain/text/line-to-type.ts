/**
 * Instruction for an operator: a sentence, or a step that ends with a hosted-runner command. It
 * stays data until the typed command is known: `lineOf` in `errors/fix-line.ts` formats it.
 */
export type Line = string | Step;

export type Step = CommandToType & {
  /** Text before the colon; without it, the command stands alone. */
  readonly text?: string;
};

/** Command of hosted-runner; its form depends on the previously typed command. */
export type CommandToType = {
  readonly runner?: string;
  /** Options at the end. */
  readonly more?: string;
  /** The command removes something: `--yes` confirms it without a prompt. */
  readonly wantsYes?: true;
} & (
  | {
      readonly command: string;
      /** The command reads no configuration, such as `explain` or `status --help`. */
      readonly isAlone?: true;
      /** `--config FILE` for a command without one, if a variable named the file. */
      readonly config?: string;
      /** Variable for this command only. */
      readonly variable?: string;
    }
  /** The failed command again, or another one if it was not the typed command. */
  | {
      readonly again: string;
      /** Any command may raise the error and resume by itself: the typed command is repeated. */
      readonly ofAny?: true;
      /** Value that replaces the typed value of an option. */
      readonly instead?: { readonly flag: string; readonly value: string };
    }
);
