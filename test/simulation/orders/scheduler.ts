import type { Chance } from '../chance.ts';

/** Somebody who acts: a run of our program, a person, the runners, GitLab's clean-up, time itself. */
export interface Actor {
  readonly name: string;
  canAct(): boolean;
  act(): void;
}

export interface PctOptions {
  readonly actors: readonly Actor[];
  readonly chance: Chance;
  /** The depth of the bugs that are looked for: one less is the number of pre-emptions. */
  readonly depth: number;
  /** How many steps a schedule is expected to have; pre-emptions are placed among them. */
  readonly steps: number;
  /** Lets everything that can go on by itself go on. */
  readonly settle: () => Promise<void>;
  readonly isOver: () => boolean;
}

/** Somebody who could act for so long and was not let is let act once: nobody is starved for ever. */
const patience = 400;
const longest = 20_000;

/**
 * Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): random priorities, always the
 * highest one that can act, and at `depth - 1` random steps the one that acts falls to the bottom.
 * Of n actors and k steps a bug of depth d is found with at least 1/(n·k^(d-1)) by each seed.
 */
export async function runByPriorities(options: PctOptions): Promise<number> {
  const { actors, chance, depth, steps, settle, isOver } = options;
  const order = chance.shuffle(actors);
  const changes = new Set(Array.from({ length: depth - 1 }, () => chance.below(steps)));
  const waited = new Map<Actor, number>();
  for (let step = 0; step < longest; step += 1) {
    await settle();
    if (isOver()) return step;
    const able = order.filter((actor) => actor.canAct());
    const chosen = able.find((actor) => (waited.get(actor) ?? 0) > patience) ?? able[0];
    if (chosen === undefined) throw new Error('nobody can act');
    for (const actor of able) waited.set(actor, (waited.get(actor) ?? 0) + 1);
    waited.set(chosen, 0);
    if (changes.has(step)) order.push(...order.splice(order.indexOf(chosen), 1));
    chosen.act();
  }
  throw new Error(`no end after ${longest} steps`);
}
