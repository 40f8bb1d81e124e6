/** As the formatter of this project quotes: by the quote that has to be escaped less often. */
export function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  const quote = count(text, "'") > count(text, '"') ? '"' : "'";
  return `${quote}${escaped.replaceAll(quote, `\\${quote}`)}${quote}`;
}

function count(text: string, one: string): number {
  return text.split(one).length - 1;
}
