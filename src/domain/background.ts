/**
 * Lets work run that nobody waits for and that handles its own failures. A rejection is a bug, and ends
 * the process like any other error that nothing catches. Everywhere else a promise is awaited, returned
 * or given a handler for its rejection (`test/structure/code/promises.test.ts`).
 */
export function runInBackground(work: Promise<unknown>): void {
  void work;
}
