/** Sequence of jobs. `bursts`: one cause also breaks the next jobs. */
export interface Jobs {
  /** Part of all jobs that fail because of the runner. */
  readonly rate: number;
  readonly bursts: boolean;
}

/** Rule that reads one job after another. Between jobs, it keeps a text. */
export interface Rule {
  readonly name: string;
  readonly source: string;
  readonly begin: string;
  /** Returns the kept text; undefined for a rollback. */
  after(kept: string, job: ReportedJob): string | undefined;
}

export interface ReportedJob {
  /** Number of the job, from 1. */
  readonly number: number;
  readonly isFault: boolean;
  /** Whether the fault occurred in the same minute as the previous one. */
  readonly isSameCause: boolean;
}

/** Probability that a burst continues. It breaks five jobs on average. */
const repeatChance = 0.8;

/**
 * Returns the probability of a rollback after each number of jobs, as an exact sum over all cases.
 * Index 0 is before the first job.
 */
export function chancesOf(rule: Rule, jobs: Jobs, count: number): readonly number[] {
  const { afterGood, afterFault } = oddsOf(jobs);
  let places: Places = new Map([[`+${rule.begin}`, 1]]);
  const chances = [0];
  let back = 0;
  for (let number = 1; number <= count; number += 1) {
    const next: Places = new Map();
    for (const [place, weight] of places) {
      const broke = place.startsWith('-');
      const odds = broke ? afterFault : afterGood;
      for (const isFault of [true, false]) {
        const part = weight * (isFault ? odds : 1 - odds);
        const isSameCause = isFault && broke && jobs.bursts;
        const kept = rule.after(place.slice(1), { number, isFault, isSameCause });
        if (kept === undefined) back += part;
        else add(next, `${isFault ? '-' : '+'}${kept}`, part);
      }
    }
    places = next;
    chances.push(back);
  }
  return chances;
}

type Places = Map<string, number>;

function add(places: Places, place: string, weight: number): void {
  places.set(place, (places.get(place) ?? 0) + weight);
}

/**
 * Returns the probabilities of a fault after a good job and after a fault. In the long run, `rate`
 * of the jobs fail, with or without bursts.
 */
function oddsOf({ rate, bursts }: Jobs) {
  if (!bursts) return { afterGood: rate, afterFault: rate };
  return { afterGood: (rate * (1 - repeatChance)) / (1 - rate), afterFault: repeatChance };
}

/** Returns the probability of each number of causes in `count` jobs, without negligible ones. */
export function causesAmong(jobs: Jobs, count: number): readonly number[] {
  const { afterGood, afterFault } = oddsOf(jobs);
  let places = new Map([['+0', 1]]);
  for (let number = 1; number <= count; number += 1) {
    const next: Places = new Map();
    for (const [place, weight] of places) {
      const broke = place.startsWith('-');
      const faults = Number(place.slice(1));
      const odds = broke ? afterFault : afterGood;
      add(next, `-${faults + (broke && jobs.bursts ? 0 : 1)}`, weight * odds);
      add(next, `+${faults}`, weight * (1 - odds));
    }
    places = new Map([...next].filter(([, weight]) => weight > 1e-15));
  }
  const chances: number[] = [];
  for (const [place, weight] of places) {
    const faults = Number(place.slice(1));
    chances[faults] = (chances[faults] ?? 0) + weight;
  }
  return Array.from(chances, (chance) => chance ?? 0);
}

/** Returns the number of jobs by which half of the deployments have rolled back. */
export function medianOf(chances: readonly number[]): number | undefined {
  const median = chances.findIndex((chance) => chance >= 0.5);
  return median < 0 ? undefined : median;
}
