import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '../../domain/text/width.ts';

/** Lines at the end of a terminal that are redrawn in place. */
export interface Frame {
  draw(text: string): void;
  clear(): void;
  /** Prints whole lines above the frame. */
  aside(print: () => void): void;
  /** Leaves the frame on the screen and continues below it. */
  keep(): void;
}

export type TerminalStream = NodeJS.WritableStream & {
  readonly columns?: number;
  readonly rows?: number;
};

export async function openFrame(stream: TerminalStream): Promise<Frame> {
  const { createLogUpdate } = await import('log-update');
  // The cursor stays visible, so the terminal is usable however this process ends.
  const update = createLogUpdate(stream, { showCursor: true });
  let shown = '';
  let columns = stream.columns;

  /**
   * Erases lines that a narrower terminal has wrapped. The library counts them before the wrap.
   */
  function eraseBroken(): void {
    if (shown === '' || columns === stream.columns) return;
    const width = stream.columns ?? Number.POSITIVE_INFINITY;
    const rows = shown
      .replace(/\n$/, '')
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / width)), 0);
    // The cursor moves up from the empty line below and erases each line.
    stream.write(`\r${'\u001b[1A\u001b[2K'.repeat(rows)}`);
    update.done();
    shown = '';
  }

  function draw(text: string): void {
    eraseBroken();
    columns = stream.columns;
    shown = text;
    update(text);
  }

  function clear(): void {
    eraseBroken();
    columns = stream.columns;
    update.clear();
    shown = '';
  }

  return {
    draw,
    clear,
    aside(print) {
      const text = shown;
      if (text !== '') clear();
      print();
      if (text !== '') draw(text);
    },
    keep() {
      // After Ctrl-C, the terminal has echoed ^C on this line.
      stream.write('\r\u001b[K');
      update.done();
      shown = '';
    },
  };
}

/** Returns the width of a line. Colours take no column. */
function widthOf(line: string): number {
  return columnsOf(stripVTControlCharacters(line));
}

/** Decides whether a frame fits. `ssh -tt` without a terminal and a serial line report no size. */
export function hasSize({ columns, rows }: Pick<TerminalStream, 'columns' | 'rows'>): boolean {
  return columns !== 0 && rows !== 0;
}
