import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from '../../domain/text/width.ts';

/** Some lines at the end of a terminal that are drawn again in place. */
export interface Frame {
  draw(text: string): void;
  clear(): void;
  /** Prints whole lines above what is drawn. */
  aside(print: () => void): void;
  /** Leaves what is drawn, and writes below it from now on. */
  keep(): void;
}

export type TerminalStream = NodeJS.WritableStream & {
  readonly columns?: number;
  readonly rows?: number;
};

export async function openFrame(stream: TerminalStream): Promise<Frame> {
  const { createLogUpdate } = await import('log-update');
  // The cursor is never hidden, so that whatever ends this process leaves the terminal whole.
  const update = createLogUpdate(stream, { showCursor: true });
  let shown = '';
  let columns = stream.columns;

  /** A terminal that became narrower has broken our lines by itself: the library counts them as they were. */
  function eraseBroken(): void {
    if (shown === '' || columns === stream.columns) return;
    const width = stream.columns ?? Number.POSITIVE_INFINITY;
    const rows = shown
      .replace(/\n$/, '')
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / width)), 0);
    // Up from the empty line below them, each erased.
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
      // Where Ctrl-C ends it the terminal has echoed that.
      stream.write('\r\u001b[K');
      update.done();
      shown = '';
    },
  };
}

/** A colour takes no column. */
function widthOf(line: string): number {
  return columnsOf(stripVTControlCharacters(line));
}

/** `ssh -tt` without a terminal, and a serial line, are terminals of no size: nothing can be drawn there. */
export function hasRoom({ columns, rows }: Pick<TerminalStream, 'columns' | 'rows'>): boolean {
  return columns !== 0 && rows !== 0;
}
