/** Jobs one after the other. `bursts`: one cause breaks what comes right behind it as well. */
export interface Jobs {
  /** The part of all jobs that fail by the runner's fault. */
  readonly rate: number;
  readonly bursts: boolean;
}

/** A rule that sees one job after the other, with whatever it keeps between them as text. */
export interface Rule {
  readonly name: string;
  readonly source: string;
  readonly begin: string;
  /** Undefined: it takes the deployment back. */
  after(kept: string, job: ReportedJob): string | undefined;
}

export interface ReportedJob {
  /** From 1 on. */
  readonly number: number;
  readonly isFault: boolean;
  /** Of the same minute as the fault right before it. */
  readonly isSameCause: boolean;
}

/** A burst breaks five jobs on average. */
const chanceToGoOn = 0.8;

/**
 * The chance that the rule has taken the deployment back after each number of jobs: the sum over all
 * that can happen, and no sample of it. Index 0 is before the first job.
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

/** So that in the long run `rate` of the jobs fail, in bursts or not. */
function oddsOf({ rate, bursts }: Jobs) {
  if (!bursts) return { afterGood: rate, afterFault: rate };
  return { afterGood: (rate * (1 - chanceToGoOn)) / (1 - rate), afterFault: chanceToGoOn };
}

/** How likely each number of causes is among so many jobs; what has no chance to speak of is left out. */
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

/** The first number of jobs by which half of the deployments are taken back. */
export function medianOf(chances: readonly number[]): number | undefined {
  const median = chances.findIndex((chance) => chance >= 0.5);
  return median < 0 ? undefined : median;
}
