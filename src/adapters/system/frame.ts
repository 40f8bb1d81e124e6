/** Some lines at the end of a terminal that are drawn again in place. */
export interface Frame {
  draw(text: string): void;
  clear(): void;
  /** Leaves what is drawn, and writes below it from now on. */
  keep(): void;
}

export async function openFrame(stream: NodeJS.WritableStream): Promise<Frame> {
  const { createLogUpdate } = await import('log-update');
  // The cursor is never hidden, so that whatever ends this process leaves the terminal whole.
  const update = createLogUpdate(stream, { showCursor: true });
  return { draw: update, clear: () => update.clear(), keep: () => update.done() };
}
