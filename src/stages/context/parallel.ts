/** A hundred hosts in sequence would take hours; all at once would be throttled. */
const atOnce = 10;

/** Returns the results in the order of `items`. An error is thrown after all calls have ended. */
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
 * Queries independent sources in parallel and returns their answers in order. If several fail, it
 * throws the error of the first source in the list, after all requests have ended. The error
 * therefore does not depend on timing. A source that throws synchronously, as a port does after a
 * cancel, leaves no other promise unhandled.
 */
export async function allSettledOrThrow<const Asked extends readonly (() => Promise<unknown>)[]>(
  ...requests: Asked
): Promise<Answers<Asked>> {
  const ends = await Promise.allSettled(requests.map(async (request) => request()));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined)) as Answers<Asked>;
}

type Answers<Asked extends readonly (() => Promise<unknown>)[]> = {
  [At in keyof Asked]: Awaited<ReturnType<Asked[At]>>;
};
