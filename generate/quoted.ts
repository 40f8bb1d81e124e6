/** Quotes a text like the project's formatter: with the quote that needs fewer escapes. */
export function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  const quote = count(text, "'") > count(text, '"') ? '"' : "'";
  return `${quote}${escaped.replaceAll(quote, `\\${quote}`)}${quote}`;
}

function count(text: string, one: string): number {
  return text.split(one).length - 1;
}
