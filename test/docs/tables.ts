/** Returns the rows of the table with this head, as cells. */
export function rowsBelow(text: string, head: string): string[][] {
  const lines = text.split('\n');
  const start = lines.indexOf(head);
  if (start < 0) throw new Error(`There is no table ${head}`);
  const below = lines.slice(start + 2);
  const end = below.findIndex((line) => !line.startsWith('|'));
  return below.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim()),
  );
}
