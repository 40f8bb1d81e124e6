/** An answer as a newest version gives it, and the fields without which nothing can be decided. */
export interface SampleAnswer {
  readonly answer: unknown;
  /** Paths with dots; `*` for each item of a list. */
  readonly needed: readonly string[];
}
