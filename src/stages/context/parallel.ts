/** Hosts one after the other would take hours for a fleet of a hundred; all at once they throttle. */
const atOnce = 10;

/** Answers in the order of `items`. An error is thrown once nothing is under way any more. */
export async function inParallel<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const answers: R[] = new Array(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const walk = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next;
      next += 1;
      try {
        answers[index] = await act(items[index] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, walk));
  if (failures.length > 0) throw failures[0];
  return answers;
}

/**
 * Asks independent sources side by side. Answers in their order; the error of the first in that order
 * is thrown once nothing is under way any more, so that it never depends on who was slow. A source that
 * throws at once, as a port does after a cancel, leaves no other one without somebody who awaits it.
 */
export async function allSettledOrThrow<const Asked extends readonly (() => Promise<unknown>)[]>(
  ...asked: Asked
): Promise<Answers<Asked>> {
  const ends = await Promise.allSettled(asked.map(async (ask) => ask()));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined)) as Answers<Asked>;
}

type Answers<Asked extends readonly (() => Promise<unknown>)[]> = {
  [At in keyof Asked]: Awaited<ReturnType<Asked[At]>>;
};
