import type { Clock } from '../../ports/clock.ts';

/**
 * Resolves with the promise, or with `late()` after `limitMs` of the local clock. The promise is
 * not cancelled; its later result or error is ignored.
 */
export async function withTimeout<Answer>(
  response: Promise<Answer>,
  limit: { readonly clock: Clock; readonly limitMs: number; readonly late: () => Answer },
): Promise<Answer> {
  const answered = new AbortController();
  const tooLate = limit.clock.sleep(limit.limitMs, answered.signal).then(
    () => ({ late: true }) as const,
    () => ({ late: true }) as const,
  );
  try {
    const first = await Promise.race([
      response.then((answer) => ({ late: false, answer }) as const),
      tooLate,
    ]);
    return first.late ? limit.late() : first.answer;
  } finally {
    answered.abort();
  }
}
