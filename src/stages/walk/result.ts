/** How a stage ended well. Doing nothing is a result with a reason, not an error. */
export type StageResult =
  /** How it ended, and then what a step has said already: for reports, which have no log above them. */
  | { readonly kind: 'done'; readonly summary: readonly string[] }
  | { readonly kind: 'nothing'; readonly reason: string };
