/** One word for `sh`, whatever is in it. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A path as a shell takes it, in quotes where it needs them. */
export function shellPath(path: string): string {
  return /^[\w./@:-]+$/.test(path) ? path : shellQuoted(path);
}
