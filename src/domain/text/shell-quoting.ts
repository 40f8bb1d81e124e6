/** What a shell takes as it stands. A word that starts with `=` is a program's path to zsh. */
const plain = /^(?!=)[A-Za-z0-9_@%+=:,./-]+$/;

/** One word for `sh`, whatever is in it. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** One word for `sh`, in quotes only if it needs them. */
export function shellArgument(word: string): string {
  return plain.test(word) ? word : shellQuoted(word);
}

/**
 * A command to paste: each value becomes one word of a shell, and a list becomes several. An empty list
 * takes the space before it away. Every printed command with a value in it is made by this tag.
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
