import { drainForever } from './draining-stack.ts';

export interface SimulatedDrains {
  readonly stacks: number;
  /** Of each stack, in the steady hour of its drain. */
  readonly callsAMinute: number;
  /** Of all stacks in that hour. */
  readonly callsAnHour: number;
  /** Calls that a limit of 15,000 an hour answers with 429. */
  readonly refused: number;
  readonly memoryMb: number;
}

const minute = 60_000;
/** GitLab.com has announced it for Premium. */
const mostAnHour = 15_000;
/** The first minutes have calls of their own. */
const settledAfterMs = 5 * minute;
const gitlabMs = 120;

/** The drains of many stacks in one process, on simulated time; without the clients of GitLab and AWS. */
export async function simulateDrains(stacks: number): Promise<SimulatedDrains> {
  const time = createTime();
  const from = settledAfterMs + minute;
  let callsAnHour = 0;
  for (let stack = 0; stack < stacks; stack += 1) {
    // Stacks do not begin at the same moment.
    const begun = time.sleep((stack / stacks) * minute).then(() =>
      drainForever({
        clock: time,
        async gitlab(requests) {
          for (let left = requests; left > 0; left -= 1) {
            if (time.elapsed() >= from) callsAnHour += 1;
            await time.sleep(gitlabMs);
          }
        },
      }),
    );
    begun.catch((error: unknown) => {
      throw error;
    });
  }
  await time.until(from + 60 * minute);
  return {
    stacks,
    callsAMinute: callsAnHour / stacks / 60,
    callsAnHour,
    refused: Math.max(0, callsAnHour - mostAnHour),
    memoryMb: process.resourceUsage().maxRSS / 1024,
  };
}

/** Time that passes when everybody waits. */
function createTime() {
  let now = 0;
  let order = 0;
  const sleepers: { readonly at: number; readonly order: number; readonly wake: () => void }[] = [];
  return {
    elapsed: () => now,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        order += 1;
        const at = now + Math.max(0, ms);
        let low = 0;
        let high = sleepers.length;
        // The next one is at the end.
        while (low < high) {
          const middle = (low + high) >> 1;
          if ((sleepers[middle]?.at ?? 0) > at) low = middle + 1;
          else high = middle;
        }
        sleepers.splice(low, 0, { at, order, wake });
      }),
    async until(end: number) {
      for (;;) {
        await new Promise((resolve) => process.nextTick(resolve));
        const next = sleepers.at(-1);
        if (next === undefined || next.at > end) return;
        sleepers.pop();
        now = next.at;
        next.wake();
      }
    },
  };
}
