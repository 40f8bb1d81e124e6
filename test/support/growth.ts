/** Processor time, because a wait for the processor is nobody's work. */
function measureMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** What `work` takes for a text and for ten times as much of it, if that is more than 40 times as long. */
export function slowGrowth(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length = 30_000,
): { readonly shortMs: number; readonly longMs: number } | undefined {
  const [short, long] = [textOf(length), textOf(10 * length)];
  work(textOf(300));
  const shortMs = measureMs(() => work(short));
  const longMs = measureMs(() => work(long));
  // A hundred times would be the square. Below 200 ms noise decides.
  return longMs < Math.max(200, shortMs * 40) ? undefined : { shortMs, longMs };
}
