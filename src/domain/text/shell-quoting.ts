/** Words that need no quotes. zsh replaces a word that starts with `=` by a program's path. */
const plain = /^(?!=)[A-Za-z0-9_@%+=:,./-]+$/;

/** Quotes any text as one word for `sh`. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns one word for `sh`, quoted only if necessary. */
export function shellArgument(word: string): string {
  return plain.test(word) ? word : shellQuoted(word);
}

/**
 * Formats a command to paste: each value becomes one shell word, and a list several. An empty list
 * removes the space before it. Every printed command with a value uses this tag.
 */
export function inShell(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string {
  return texts.reduce((before, text, index) => {
    const value = values[index - 1] ?? '';
    if (typeof value !== 'object') return `${before}${shellArgument(String(value))}${text}`;
    const words = value.map(shellArgument).join(' ');
    return `${words === '' ? before.replace(/ $/, '') : before}${words}${text}`;
  });
}
