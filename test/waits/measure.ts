import { waitForDrained, waitForReady } from './our-waits.ts';
import { lastJobEndOf, readinessOf, seeded } from './readiness.ts';
import { type Outcome, otherDrain, otherReady, type Schedule } from './schedules.ts';

export interface Row {
  readonly name: string;
  readonly source: string;
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly meanCalls: number;
  readonly mostCalls: number;
  readonly meanAwsCalls: number;
  /** Number of waits whose end was declared before the fact was visible. */
  readonly early: number;
}

export interface Measurement {
  readonly ready: readonly Row[];
  readonly drain: readonly Row[];
  /** Duration of the check that ends the confirmation window, which is no part of a delay. */
  readonly lastPollMs: number;
}

const ownSources = {
  ready: 'the wait of provision, over answers that take 40 to 600 ms; Run Commands take seconds',
  drain:
    'the wait of shutdown, over the same answers; the window of 55 s and its look are taken off',
};

/**
 * Measures every schedule with the same facts. The program's own schedule has responses that take
 * time, the others do not.
 */
export async function measure({
  samples,
  seed,
}: {
  samples: number;
  seed: number;
}): Promise<Measurement> {
  const chance = seeded(seed);
  const readiness = Array.from({ length: samples }, () => readinessOf(chance));
  const ends = Array.from({ length: samples }, () => lastJobEndOf(chance));
  const latency = seeded(seed + 1);
  const ready: Outcome[] = [];
  const drained: Outcome[] = [];
  let lastCheckMs = 0;
  for (const wait of readiness) ready.push(await waitForReady(wait, latency));
  for (const endAt of ends) {
    const { lastPollMs: ms, ...outcome } = await waitForDrained(endAt, latency);
    drained.push(outcome);
    lastCheckMs += ms / samples;
  }
  const name = 'hosted-runner-deploy';
  return {
    ready: [
      rowOf({ name, source: ownSources.ready }, ready),
      ...otherReady.map((schedule) => rowOf(schedule, runAll(schedule, readiness, seed))),
    ],
    drain: [
      rowOf({ name, source: ownSources.drain }, drained),
      ...otherDrain.map((schedule) => rowOf(schedule, runAll(schedule, ends, seed))),
    ],
    lastPollMs: lastCheckMs,
  };
}

function runAll<Wait>(schedule: Schedule<Wait>, waits: readonly Wait[], seed: number): Outcome[] {
  const chance = seeded(seed + 2);
  return waits.map((wait) => schedule.run(wait, chance));
}

function rowOf({ name, source }: Pick<Row, 'name' | 'source'>, outcomes: readonly Outcome[]): Row {
  const delays = outcomes.map(({ delayMs }) => delayMs).sort((one, other) => one - other);
  const calls = outcomes.map((outcome) => outcome.calls);
  return {
    name,
    source,
    meanMs: mean(delays.map((delay) => Math.max(0, delay))),
    p99Ms: percentile(delays, 0.99),
    meanCalls: mean(calls),
    mostCalls: calls.reduce((most, one) => Math.max(most, one), 0),
    meanAwsCalls: mean(outcomes.map(({ awsCalls = 0 }) => awsCalls)),
    early: outcomes.filter(({ isEarly, delayMs }) => isEarly ?? delayMs < 0).length / delays.length,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
