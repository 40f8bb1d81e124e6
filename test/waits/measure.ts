import { otherDrain, otherReady, ourDrain, ourReady, type Schedule } from './schedules.ts';
import { lastJobEndOf, readinessOf, seeded } from './worlds.ts';

export interface Row {
  readonly name: string;
  readonly source: string;
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly meanCalls: number;
  readonly p99Calls: number;
  /** Of the waits: declared over before the fact could be seen. */
  readonly early: number;
}

export interface Measurement {
  readonly ready: readonly Row[];
  readonly drain: readonly Row[];
}

/** Every schedule waits for the very same facts. */
export function measure({ samples, seed }: { samples: number; seed: number }): Measurement {
  const chance = seeded(seed);
  const readiness = Array.from({ length: samples }, () => readinessOf(chance));
  const ends = Array.from({ length: samples }, () => lastJobEndOf(chance));
  return {
    ready: [ourReady, ...otherReady].map((schedule) => rowOf(schedule, readiness, seed)),
    drain: [ourDrain, ...otherDrain].map((schedule) => rowOf(schedule, ends, seed)),
  };
}

function rowOf<Wait>(schedule: Schedule<Wait>, waits: readonly Wait[], seed: number): Row {
  const chance = seeded(seed + 1);
  const outcomes = waits.map((wait) => schedule.run(wait, chance));
  const delays = outcomes.map(({ delayMs }) => delayMs).sort((one, other) => one - other);
  const calls = outcomes.map((outcome) => outcome.calls).sort((one, other) => one - other);
  return {
    name: schedule.name,
    source: schedule.source,
    meanMs: mean(delays.map((delay) => Math.max(0, delay))),
    p99Ms: percentile(delays, 0.99),
    meanCalls: mean(calls),
    p99Calls: percentile(calls, 0.99),
    early: delays.filter((delay) => delay < 0).length / delays.length,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
