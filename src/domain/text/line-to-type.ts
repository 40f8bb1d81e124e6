/**
 * A line that tells a person what to do: a sentence, or one that ends with a command of ours. It is data
 * until it is known what was typed: `lineOf` in `errors/fix-line.ts` makes the text.
 */
export type Line = string | Step;

export type Step = CommandToType & {
  /** What stands before the colon; without it the command stands alone. */
  readonly say?: string;
};

/** A command of ours; how it is typed depends on what was typed before it. */
export type CommandToType = {
  readonly runner?: string;
  /** Options that come last. */
  readonly more?: string;
  /** It takes something away: `--yes` agrees to that, where nobody is asked. */
  readonly wantsYes?: true;
} & (
  | {
      readonly command: string;
      /** It reads no configuration, such as `explain` or `status --help`. */
      readonly isAlone?: true;
      /** `--config FILE` where none was typed, but a variable named one. */
      readonly config?: string;
      /** A variable for it alone. */
      readonly variable?: string;
    }
  /** The command that went wrong, once more; another one where it was not the one that was typed. */
  | {
      readonly again: string;
      /** Every command may meet the error, and each one resumes by itself: the one that was typed. */
      readonly ofAny?: true;
    }
);
