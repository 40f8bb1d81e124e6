/** How a stage ended well. Doing nothing is a result with a reason, not an error. */
export type StageResult =
  | { readonly kind: 'done'; readonly summary: readonly string[] }
  | { readonly kind: 'nothing'; readonly reason: string };
