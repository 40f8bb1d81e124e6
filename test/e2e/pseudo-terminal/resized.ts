import type { PseudoTerminal } from './open.ts';

const mostTries = 5;

/**
 * Returns a terminal whose picture followed a resize and left nothing behind. A terminal wraps its
 * rows before the program receives the resize, so a redraw between them erases the wrong rows. The
 * next try then uses a new terminal. If the head remains in every try, the picture has a defect.
 */
export async function resized(
  open: () => PseudoTerminal,
  size: { readonly rows: number; readonly columns: number },
  { head, isWhole }: { readonly head: RegExp; readonly isWhole: (picture: Rows) => boolean },
): Promise<PseudoTerminal> {
  const heads = (rows: Rows) => rows.filter((row) => head.test(row)).length;
  for (let tries = 1; ; tries += 1) {
    const terminal = open();
    await terminal.until(
      'a picture',
      (rows) => heads(rows) === 1 && isWhole(pictureIn(rows, head)),
    );
    const before = terminal.drawn().length;
    terminal.resize(size);
    const rows = await terminal.until(`a whole picture of ${size.columns} columns`, (now) => {
      const picture = pictureIn(now, head);
      const fits = picture.every((row) => row.length < size.columns);
      return fits && isWhole(picture) && terminal.drawn().length > before;
    });
    if (heads(rows) === 1) return terminal;
    terminal.interrupt();
    await terminal.ended;
    if (tries === mostTries) throw new Error(`A head is left behind:\n${rows.join('\n')}`);
  }
}

type Rows = readonly string[];

/** Returns the rows from the last head on; none without a head. */
export function pictureIn(rows: Rows, head: RegExp): Rows {
  const at = rows.findLastIndex((row) => head.test(row));
  return at === -1 ? [] : rows.slice(at);
}
