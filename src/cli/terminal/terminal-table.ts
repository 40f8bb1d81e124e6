/** Content of a table; a cell may have several lines. */
export interface Cells {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Renders a table in its natural width, or within the given columns. The first column keeps its
 * width; the others share the rest. If a word would be broken, rows become paragraphs with a line
 * for each cell. Words then stay whole for searching and pasting.
 */
export async function renderTableWithin(
  { head, rows }: Cells,
  columns: number | undefined,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const draw = (more: object) => {
    const style = { head: [], border: [] };
    const table = new Table({ head: [...head], style, ...more });
    table.push(...rows.map((row) => [...row]));
    return table.toString();
  };
  const natural = draw({});
  if (columns === undefined || widthOf(natural) <= columns) return natural;
  const first = Math.max(...[head, ...rows].map(([cell = '']) => widthOf(cell))) + margins;
  const others = head.length - 1;
  const each = Math.floor((columns - first - others - 2) / others);
  if (!fits([head, ...rows], each - margins)) return paragraphs({ head, rows });
  const colWidths = [first, ...head.slice(1).map(() => each)];
  return draw({ colWidths, wordWrap: true, wrapOnWordBoundary: true });
}

function paragraphs({ head, rows }: Cells): string {
  const [, ...names] = head;
  return rows
    .flatMap(([first = '', ...others]) => [
      `  ${first}`,
      ...others.map((cell, at) => `    ${names[at]}: ${cell.replaceAll('\n', ', ')}`),
    ])
    .join('\n');
}

/** One space on each side of a cell. */
const margins = 2;

function fits(rows: readonly (readonly string[])[], most: number): boolean {
  const words = rows.flatMap((row) => row.slice(1).flatMap((cell) => cell.split(/\s+/)));
  return words.every((word) => word.length <= most);
}

export function widthOf(text: string): number {
  return Math.max(...text.split('\n').map((line) => [...line].length));
}
