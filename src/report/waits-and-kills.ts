import { reasonOf } from '../domain/text/wait-reason.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogEvent } from '../ports/log-event.ts';
import type { Kill, Wait } from './run-report.ts';

type Now = Pick<Clock, 'now'>;

const mostWaits = 100;
const mostKills = 100;

/** A wait is said at every look, and is over when something else is said or done. */
export function keepWaits(clock: Now) {
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

/** What ends a process, a machine or a job by force, by the calls that have done it. */
export function keepKills(clock: Now) {
  const kills: Kill[] = [];
  return {
    keep(event: LogEvent): void {
      if (event.kind !== 'call' || event.outcome !== 'answered' || kills.length >= mostKills)
        return;
      const text = tellKill(event.call, event.args);
      if (text !== undefined) kills.push({ at: clock.now(), text });
    },
    kept: (): readonly Kill[] => [...kills],
  };
}

function tellKill(call: string, [what]: readonly unknown[]): string | undefined {
  switch (call) {
    case 'host.kill':
      return `SIGKILL on ${String(what)}`;
    case 'instances.terminate':
      return `${String((what as { readonly id?: unknown } | undefined)?.id)} terminated`;
    default:
      return undefined;
  }
}
