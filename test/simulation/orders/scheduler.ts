import type { Chance } from '../chance.ts';

/** Actor: a run of hosted-runner, an operator, the runners, GitLab's cleanup, or time itself. */
export interface Actor {
  readonly name: string;
  canAct(): boolean;
  act(): void;
}

export interface PctOptions {
  readonly actors: readonly Actor[];
  readonly chance: Chance;
  /** Depth of the bugs that the search finds: the number of pre-emptions plus one. */
  readonly depth: number;
  /** Expected number of steps, among which the pre-emptions are placed. */
  readonly steps: number;
  /** Runs everything that can continue by itself. */
  readonly settle: () => Promise<void>;
  readonly isOver: () => boolean;
}

/** Number of steps after which a waiting actor gets one turn, so none starves. */
const patience = 400;
const longest = 20_000;

/**
 * Runs probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010). Priorities are random,
 * and the highest actor that can act does so. At `depth - 1` random steps, the acting one falls to
 * the bottom. With n actors and k steps, each seed finds a bug of depth d with probability at least
 * 1/(n·k^(d-1)).
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
