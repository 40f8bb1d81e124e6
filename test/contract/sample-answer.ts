/** Response of a newest version, and the fields that decisions need. */
export interface SampleAnswer {
  readonly answer: unknown;
  /** Paths with dots. `*` is any item of a list. */
  readonly needed: readonly string[];
}
