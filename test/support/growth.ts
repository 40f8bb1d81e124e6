/** Measures processor time, to exclude waits for the processor. */
function measureMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Returns the durations for a text and for ten times its length, if the ratio exceeds 40. */
export function slowGrowth(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length = 30_000,
): { readonly shortMs: number; readonly longMs: number } | undefined {
  const [short, long] = [textOf(length), textOf(10 * length)];
  work(textOf(300));
  const shortMs = measureMs(() => work(short));
  const longMs = measureMs(() => work(long));
  // Quadratic growth would be a hundred times. Below 200 ms, noise decides.
  return longMs < Math.max(200, shortMs * 40) ? undefined : { shortMs, longMs };
}
