import { type DrainLook, judgeDrain } from '../../src/domain/drain.ts';
import { pauseBefore } from '../../src/domain/pace.ts';
import type { Readiness } from './worlds.ts';

/** What a schedule did with one wait. Answers take no time here, neither ours nor the others'. */
export interface Outcome {
  /** From the moment at which the fact could be seen; negative where it was only assumed. */
  readonly delayMs: number;
  readonly calls: number;
}

export interface Schedule<Wait> {
  readonly name: string;
  /** Where its constants are from. */
  readonly source: string;
  run(wait: Wait, chance: () => number): Outcome;
}

const second = 1000;
const cadence = { pollMs: 5 * second, fineMs: 980 };
/** Good evidence is asked for again after this; hosts and managers with a call each, the host itself with two. */
const refresh = { everyMs: 30 * second, calls: 4 };
/** `drain.poll`, `drain.poll_of_runner` and what a whole look asks: three lists, a runner, a host. */
const drainRules = {
  pollMs: 2 * second,
  pollOfRunnerMs: 55 * second,
  confirmationMs: 120 * second,
};
const wholeLookCalls = 7;
const wholeEveryMs = 30 * second;

/** The very pauses that the stages make, by what can be seen at that moment. */
export const ourReady: Schedule<Readiness> = {
  name: 'hosted-runner-deploy',
  source: 'src/domain/pace.ts with the default healthcheck.poll',
  run({ instanceAt, managerAt, readyAt }) {
    let at = 0;
    let calls = 0;
    let nearSince: number | undefined;
    let refreshedAt = 0;
    for (;;) {
      if (at < instanceAt) {
        calls += 1;
        at += pauseBefore({ kind: 'far' }, cadence);
        refreshedAt = at;
        continue;
      }
      calls += 1;
      if (at - refreshedAt >= refresh.everyMs) {
        calls += at < managerAt ? 1 : refresh.calls;
        refreshedAt = at;
      }
      if (at >= readyAt) return { delayMs: at - readyAt, calls };
      if (at < managerAt) at += pauseBefore({ kind: 'coming' }, cadence);
      else {
        nearSince ??= at;
        at += pauseBefore({ kind: 'near', forMs: at - nearSince }, cadence);
      }
    }
  },
};

/** The very judgement of the drain, with the host's word, beside its confirmation window. */
export const ourDrain: Schedule<number> = {
  name: 'hosted-runner-deploy',
  source: 'src/domain/drain.ts with the default drain.poll; the window of 55s is taken off',
  run(endAt, chance) {
    const firstAt = endAt - Math.floor(endAt / drainRules.pollMs) * drainRules.pollMs;
    let at =
      Math.floor(endAt / drainRules.pollMs) * drainRules.pollMs + chance() * drainRules.pollMs;
    if (at > endAt) at -= drainRules.pollMs;
    at = Math.max(firstAt, at);
    let calls = Math.floor(at / drainRules.pollMs) + Math.floor(at / wholeEveryMs) * wholeLookCalls;
    const looks: DrainLook[] = [];
    for (;;) {
      const busy = at < endAt;
      calls += busy ? 1 : wholeLookCalls;
      looks.push({
        at,
        registration: { kind: 'seen', paused: true, busy },
        jobs: [],
        hosts: [{ kind: 'jobs', host: 'i-1', count: busy ? 1 : 0 }],
        hostsGone: false,
      });
      const judgement = judgeDrain(looks, drainRules);
      if (judgement.kind === 'drained') {
        return { delayMs: at - endAt - drainRules.pollOfRunnerMs, calls };
      }
      const pause = judgement.kind === 'confirming' ? judgement.forMs : drainRules.pollMs;
      at += Math.max(1, Math.min(drainRules.pollMs, pause));
    }
  },
};

/** Looks every so often, from a moment that has nothing to do with the fact. */
function every<Wait>(name: string, source: string, ms: number, factOf: (wait: Wait) => number) {
  return {
    name,
    source,
    run: (wait: Wait) => {
      const fact = factOf(wait);
      const looks = Math.max(1, Math.ceil(fact / ms));
      return { delayMs: looks * ms - fact, calls: looks };
    },
  } satisfies Schedule<Wait>;
}

/** https://docs.aws.amazon.com/AWSJavaScriptSDK/v3/latest/Package/-smithy-util-waiter/ */
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
      const looks = Math.max(1, Math.ceil(endAt / (30 * second)));
      return { delayMs: looks * 30 * second - endAt + 10 * second, calls: looks };
    },
  },
  every('ARC scale set, every 30 s', 'JobStillRunning: requeue 30 s', 30 * second, itself),
  every('ARC classic, every 60 s', 'DefaultUnregistrationRetryDelay 1 min', 60 * second, itself),
];
