import type { Readiness } from './readiness.ts';

/** Result of one wait with a schedule. */
export interface Outcome {
  /** Delay since the fact was visible; negative if the end was only assumed. */
  readonly delayMs: number;
  /** Calls of GitLab's API. */
  readonly calls: number;
  /** Calls of AWS; absent for other schedules, whose model only has GitLab's. */
  readonly awsCalls?: number;
  /** Whether the end was declared too early, if the delay does not show it. */
  readonly isEarly?: boolean;
}

/** Model of a published schedule. Its responses take no time. */
export interface Schedule<Wait> {
  readonly name: string;
  /** Source of the schedule's constants. */
  readonly source: string;
  run(wait: Wait, chance: () => number): Outcome;
}

const second = 1000;

/** Polls at a fixed interval, from a start that is independent of the fact. */
function every<Wait>(name: string, source: string, ms: number, factOf: (wait: Wait) => number) {
  return {
    name,
    source,
    run: (wait: Wait) => {
      const fact = factOf(wait);
      const polls = Math.max(1, Math.ceil(fact / ms));
      return { delayMs: polls * ms - fact, calls: polls };
    },
  } satisfies Schedule<Wait>;
}

/** Models https://docs.aws.amazon.com/AWSJavaScriptSDK/v3/latest/Package/-smithy-util-waiter/ */
function sdkWaiter<Wait>(factOf: (wait: Wait) => number): Schedule<Wait> {
  const [minimum, maximum] = [15 * second, 120 * second];
  return {
    name: 'AWS SDK waiter, 15 to 120 s',
    source: 'exponential backoff with jitter of @smithy/util-waiter',
    run(wait, chance) {
      const fact = factOf(wait);
      let at = 0;
      for (let calls = 1; ; calls += 1) {
        if (at >= fact) return { delayMs: at - fact, calls };
        const most = Math.min(maximum, minimum * 2 ** (calls - 1));
        at += minimum + chance() * (most - minimum);
      }
    },
  };
}

const ready = ({ readyAt }: Readiness) => readyAt;
const itself = (endAt: number) => endAt;

export const otherReady: readonly Schedule<Readiness>[] = [
  every('every 15 s', 'a usual loop', 15 * second, ready),
  sdkWaiter(ready),
  every('every 60 s', 'a usual loop', 60 * second, ready),
  {
    name: 'cattle-ops, 300 s after launch',
    source: 'terraform-aws-gitlab-runner 9.5.2: heartbeat_timeout 300, default_result CONTINUE',
    run: ({ readyAt }) => ({ delayMs: 300 * second - readyAt, calls: 0 }),
  },
  every('ARC scale set, every 30 s', 'actions-runner-controller: requeue 30 s', 30 * second, ready),
  every('ARC classic, every 60 s', 'runner lists cached for 60 s', 60 * second, ready),
];

export const otherDrain: readonly Schedule<number>[] = [
  every('every 15 s', 'a usual loop', 15 * second, itself),
  sdkWaiter(itself),
  every('every 60 s', 'a usual loop', 60 * second, itself),
  {
    name: 'cattle-ops, 10 s, 5 s, 30 s, 10 s',
    source: 'terraform-aws-gitlab-runner 9.5.2: monitor_runner.sh',
    run(endAt) {
      const polls = Math.max(1, Math.ceil(endAt / (30 * second)));
      return { delayMs: polls * 30 * second - endAt + 10 * second, calls: polls };
    },
  },
  every('ARC scale set, every 30 s', 'JobStillRunning: requeue 30 s', 30 * second, itself),
  every('ARC classic, every 60 s', 'DefaultUnregistrationRetryDelay 1 min', 60 * second, itself),
];
