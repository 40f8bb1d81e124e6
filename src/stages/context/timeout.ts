import type { Clock } from '../../ports/clock.ts';

/**
 * What is asked, or what holds in its place once `limitMs` have passed by our own clock. What is still
 * under way then goes on, and how it ends is nobody's any more; before, its error is thrown.
 */
export async function withTimeout<Answer>(
  asked: Promise<Answer>,
  limit: { readonly clock: Clock; readonly limitMs: number; readonly late: () => Answer },
): Promise<Answer> {
  const answered = new AbortController();
  const tooLate = limit.clock.sleep(limit.limitMs, answered.signal).then(
    () => ({ late: true }) as const,
    () => ({ late: true }) as const,
  );
  try {
    const first = await Promise.race([
      asked.then((answer) => ({ late: false, answer }) as const),
      tooLate,
    ]);
    return first.late ? limit.late() : first.answer;
  } finally {
    answered.abort();
  }
}
