/** Another system's words as one line that is safe to print: no control characters, cut. */
export function oneLine(text: string, mostCharacters = 300): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
}
