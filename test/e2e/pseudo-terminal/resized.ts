import type { PseudoTerminal } from './open.ts';

const mostTries = 5;

/**
 * One whose picture has followed its size and left nothing of it behind. A terminal breaks its rows before the program
 * hears of it: what is drawn in between erases the wrong ones, at every terminal. Such a one is left, and another one
 * is opened; a picture that leaves its head behind each time has a fault.
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

/** What stands from the last head on; nothing where there is none. */
export function pictureIn(rows: Rows, head: RegExp): Rows {
  const at = rows.findLastIndex((row) => head.test(row));
  return at === -1 ? [] : rows.slice(at);
}
