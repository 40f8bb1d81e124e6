import { reasonOf } from '../domain/text/truncate-reason.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogEvent } from '../ports/log-event.ts';
import type { ArgumentsOf, CallName, IrreversibleCall } from '../ports/ports.ts';
import type { Kill, Wait } from './run-report.ts';

type Now = Pick<Clock, 'now'>;

const mostWaits = 100;
const mostKills = 100;

/**
 * Collects waits. A wait is logged at every check, and ends at the next other log line or step.
 */
export function countWaits(clock: Now) {
  const over: Wait[] = [];
  let current: { reason: string; text: string; from: number } | undefined;

  function end(): void {
    if (current === undefined) return;
    const { text, from } = current;
    if (over.length < mostWaits) over.push({ text, from, to: clock.now() });
    current = undefined;
  }

  return {
    keep(text: string): void {
      const reason = reasonOf(text);
      if (current?.reason !== reason) end();
      current = { reason, from: clock.now(), ...current, text };
    },
    end,
    kept: (endedAt: number): readonly Wait[] =>
      current === undefined || over.length >= mostWaits
        ? [...over]
        : [...over, { text: current.text, from: current.from, to: endedAt }],
  };
}

/** Collects the calls that killed a process, a machine or a job. */
export function countKills(clock: Now) {
  const kills: Kill[] = [];
  return {
    keep(event: LogEvent): void {
      if (event.kind !== 'call' || event.outcome !== 'answered' || kills.length >= mostKills)
        return;
      const text = formatKill(event.call, event.args);
      if (text !== undefined) kills.push({ at: clock.now(), text });
    },
    kept: (): readonly Kill[] => [...kills],
  };
}

type Kills = {
  readonly [Call in IrreversibleCall]: ((...args: ArgumentsOf<Call>) => string) | 'no kill';
};

/** Text of the report for every irreversible call that kills something. */
const killsBy: Kills = {
  'host.kill': (hostId) => `runner killed on ${hostId}`,
  'instances.terminate': ({ id }) => `${id} terminated`,
  // The process is idle.
  'host.quit': 'no kill',
  // This removes a plan's or a shard's infrastructure, which the timeline shows as a step.
  'infrastructure.apply': 'no kill',
  'infrastructure.destroy': 'no kill',
  'inventory.remove': 'no kill',
  // This removes a runner or its token, and ends no process.
  'registry.retire': 'no kill',
  'registry.retireWorkers': 'no kill',
  'registry.resetToken': 'no kill',
};

function formatKill(call: CallName, args: readonly unknown[]): string | undefined {
  const kill = isIrreversible(call) ? killsBy[call] : 'no kill';
  // An event has the arguments of the call in its `call` field.
  return kill === 'no kill' ? undefined : (kill as (...all: readonly unknown[]) => string)(...args);
}

function isIrreversible(call: CallName): call is IrreversibleCall {
  return Object.hasOwn(killsBy, call);
}
