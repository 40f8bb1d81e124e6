/** One breakage of the product, applied as its sources are loaded for a test. */
export interface Mutant {
  /** In a few words, what is no longer done or done in another order. */
  readonly id: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Test files that are run before all others, for what the usual layers do not reach. */
  readonly tests?: readonly string[];
}

/** Mutants of one file. */
export function mutantsOf(file: string, list: readonly Omit<Mutant, 'file'>[]): readonly Mutant[] {
  return list.map((one) => ({ ...one, file }));
}
