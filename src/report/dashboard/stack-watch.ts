import { formatDuration } from '../../domain/text/duration.ts';
import type { Line } from '../../domain/text/line-to-type.ts';
import { lineOf, type Typed } from '../../errors/fix-line.ts';
import type { StackReport } from '../../operator/status-report.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DashboardTrouble, StackSight } from './dashboard-facts.ts';

/** Watch of one stack. A stack that hangs or fails does not affect the others. */
export interface StackWatch {
  read(): StackSight;
  /** Checks once, for at most `limitMs`. A check that has not ended by then is shown as such. */
  checkOnce(limitMs: number): Promise<void>;
  /** Checks until the abort, independent of requests. */
  run(signal: AbortSignal): Promise<void>;
}

export interface WatchOptions {
  readonly runner: string;
  readonly readReport: () => Promise<StackReport>;
  readonly clock: Clock;
  readonly everyMs: number;
  /** Translates an error of a check for the operator. */
  readonly explain: (error: unknown) => DashboardTrouble;
  readonly typed: Typed;
}

export function doctorLine(runner: string): Line {
  return { text: 'Check which source responds', command: 'doctor', runner };
}

/**
 * Time after which a check counts as late. A check sends about twenty requests, each with its own
 * deadline.
 */
const lateMs = 60_000;

export function createStackWatch(options: WatchOptions): StackWatch {
  const { runner, readReport, clock, everyMs, explain, typed } = options;
  let seen: StackSight['seen'];
  let trouble: DashboardTrouble | undefined;
  let begunAt: number | undefined;

  async function check(): Promise<void> {
    begunAt = clock.elapsed();
    try {
      seen = { report: await readReport(), at: clock.now() };
      trouble = undefined;
    } catch (error) {
      trouble = explain(error);
    } finally {
      begunAt = undefined;
    }
  }

  function late(): DashboardTrouble | undefined {
    const ms = begunAt === undefined ? 0 : clock.elapsed() - begunAt;
    return ms > lateMs ? hanging(ms) : undefined;
  }

  function hanging(ms: number): DashboardTrouble {
    return {
      what: `The check of ${runner} has not ended for ${formatDuration(ms)}.`,
      why: ['GitLab, GitHub or AWS does not respond, or responds slowly.'],
      fix: [lineOf(doctorLine(runner), typed)],
    };
  }

  return {
    read() {
      const known = late() ?? trouble;
      return {
        runner,
        ...(seen === undefined ? {} : { seen }),
        ...(known === undefined ? {} : { trouble: known }),
      };
    },
    async checkOnce(limitMs) {
      const done = new AbortController();
      const limit = clock.sleep(limitMs, done.signal).catch(() => {});
      await Promise.race([check(), limit]);
      done.abort();
      if (begunAt !== undefined) trouble = hanging(limitMs);
    },
    async run(signal) {
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      for (;;) {
        await Promise.race([check(), aborted]);
        if (signal.aborted) return;
        await clock.sleep(everyMs, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      }
    },
  };
}
