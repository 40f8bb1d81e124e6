import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { CallNote } from '../../fakes/faults/trace.ts';
import { createSimulation, type Elsewhere } from '../../fakes/simulation.ts';
import { finishJob } from '../../fakes/world/ci-job.ts';
import { parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { canonicalHash } from '../canonical/canonical.ts';
import { copyWorld } from '../canonical/clone.ts';
import { type ExploreOptions, type Node, runKey } from '../node.ts';
import type { RunHooks, RunOrder } from '../one-run.ts';
import type { CallSite } from './call-sites.ts';

/** Call of an undisturbed run, with the data that decides which faults are indistinguishable. */
export interface SeenCall extends Pick<Call, 'own' | 'port' | 'method' | 'effect'> {
  readonly site: CallSite | undefined;
  /** Key of the call: its run, place, subject and world. */
  readonly key: string;
  /**
   * Reason to skip the call: struck in another run at the same place and world, or a later round of
   * a loop.
   */
  readonly again: 'known' | 'round' | undefined;
  readonly touchesLock: boolean;
  /** Whether the previous call had ended and the product has not read a clock since. */
  readonly followsAtOnce: boolean;
  /** Whether the product reads the clock before the next call. */
  readsClock: boolean;
  /** Whether the response equals the one before the last effect. */
  sameWhenStale?: boolean;
  /** `same` if the next call would not notice an hour after this one. */
  nextAfterHour?: 'same';
  /** Effect of a second arrival of the same request. */
  whenTwice?: 'nothing_more' | 'same_answer';
}

/** Place that only a fault leads to. */
export interface LaterCall {
  readonly own: number;
  readonly site: CallSite;
}

/** World after a death at a call. */
export interface Death {
  readonly own: number;
  readonly mode: 'crash_before' | 'crash_after';
  readonly world: World;
}

export interface Watch {
  readonly hooks: RunHooks;
  readonly calls: readonly SeenCall[];
  /** One death for each world of the run. */
  readonly deaths: readonly Death[];
  /** Resolves when all comparisons with other worlds are done. */
  settled(): Promise<void>;
}

const hourMs = 3_600_000;

/** Number of rounds of a polling loop that are struck in each world. */
const roundsOfALoop = 2;

/** Watches a run's calls. Two runs at the same call and place in the same world count as one. */
export function watchRun(order: RunOrder, node: Node, { findSite, isNew }: ExploreOptions): Watch {
  const runs = runKey(order, node.going);
  const calls: SeenCall[] = [];
  const deaths: Death[] = [];
  const comparisons: Promise<void>[] = [];
  const rounds = new Map<string, number>();
  const died = new Set<string>();
  let older: World | undefined;
  let frozen: Promise<World> | undefined;
  let frozenAt = '';
  let open = 0;
  let hasReadClock = false;

  function dieHere(call: Call, world: World, mode: Death['mode'], hash: string): void {
    if (died.has(hash)) return;
    died.add(hash);
    deaths.push({ own: call.own, mode, world: deadCopy(world, order, call.incarnation) });
  }

  /** Creates one later world for all reads at one moment between two effects. */
  function freeze(world: World): void {
    const key = `${world.now} ${world.counters.order} ${world.history.length}`;
    if (frozenAt === key) return;
    frozenAt = key;
    frozen = anHourLater(copyWorld(world));
  }

  return {
    calls,
    deaths,
    async settled() {
      await Promise.all(comparisons);
    },
    hooks: {
      onCall(call, world) {
        const { own, port, method, args, effect } = call;
        const site = findSite(`${port}.${method}`);
        const about = typeof args[0] === 'string' && args[0].startsWith('/') ? args[0] : '';
        const hash = canonicalHash(world);
        const key = `${runs} ${site} ${about} ${hash}`;
        const round = (rounds.get(key) ?? 0) + 1;
        rounds.set(key, round);
        const again =
          round > roundsOfALoop
            ? 'round'
            : isNew(`${key} ${round}`, node.depth)
              ? undefined
              : 'known';
        calls.push({
          ...{ own, port, method, effect, site, key, again },
          touchesLock: isAboutLock(call, world),
          followsAtOnce: open === 0 && !hasReadClock,
          // The product compares a host's clock with its own.
          readsClock: port === 'host',
        });
        if (effect) older = copyWorld(world);
        if (again === undefined) dieHere(call, world, 'crash_before', hash);
        open += 1;
      },
      onEnd(call, answer, { world, elsewhere }) {
        open -= 1;
        hasReadClock = false;
        const seen = calls[call.own];
        if (seen === undefined) return;
        if (!seen.effect && seen.port !== 'clock' && seen.followsAtOnce) {
          const before = calls[call.own - 1];
          if (before !== undefined && before.again === undefined && frozen !== undefined)
            comparisons.push(compareFrozen(before, { answer, frozen, elsewhere }));
        }
        freeze(world);
        if (seen.again !== undefined || call.port === 'clock') return;
        if (!call.effect) {
          if (older !== undefined)
            comparisons.push(compareStale(seen, { answer, older, now: world.now, elsewhere }));
          return;
        }
        const hash = canonicalHash(world);
        dieHere(call, world, 'crash_after', hash);
        if (!(answer instanceof CallNote))
          comparisons.push(
            compareTwice(seen, { answer, world: copyWorld(world), hash, elsewhere }),
          );
      },
      onClockRead(what) {
        hasReadClock = true;
        const last = calls.at(-1);
        if (what === 'now' && last !== undefined) last.readsClock = true;
      },
    },
  };
}

/** Copies the world as the run's CI leaves it after the run's death. */
function deadCopy(world: World, { deploymentId, jobId }: RunOrder, name: string): World {
  const copied = copyWorld(world);
  finishJob(copied, { deploymentId, jobId, name });
  return copied;
}

function isAboutLock({ port, args }: Call, world: World): boolean {
  if (port !== 'parameters') return false;
  const [first] = args;
  const name = typeof first === 'string' ? first : (first as { name?: string } | undefined)?.name;
  return world.stacks.some((stack) => parametersOf(stack).lock === name);
}

async function compareStale(
  seen: SeenCall,
  {
    answer,
    older,
    now,
    elsewhere,
  }: { answer: unknown; older: World; now: number; elsewhere: Elsewhere },
): Promise<void> {
  if (answer instanceof CallNote) return;
  const text = JSON.stringify(answer);
  const shown = { ...older, now };
  const other = await textOf(() => elsewhere(shown));
  seen.sameWhenStale = other === text;
}

async function anHourLater(world: World): Promise<World> {
  await createSimulation({ world }).advance(hourMs);
  return world;
}

async function compareFrozen(
  before: SeenCall,
  { answer, frozen, elsewhere }: { answer: unknown; frozen: Promise<World>; elsewhere: Elsewhere },
): Promise<void> {
  if (answer instanceof CallNote) return;
  const text = JSON.stringify(answer);
  const later = await frozen;
  if ((await textOf(() => elsewhere(later))) === text) before.nextAfterHour = 'same';
}

async function compareTwice(
  seen: SeenCall,
  {
    answer,
    world,
    hash,
    elsewhere,
  }: { answer: unknown; world: World; hash: string; elsewhere: Elsewhere },
): Promise<void> {
  const text = JSON.stringify(answer);
  const other = await textOf(() => elsewhere(world));
  if (other !== text) return;
  seen.whenTwice = canonicalHash(world) === hash ? 'nothing_more' : 'same_answer';
}

/** Returns a response as text, or `failed` for an error, which differs from every response. */
async function textOf(call: () => Promise<unknown> | undefined): Promise<string | undefined> {
  try {
    const response = call();
    return response === undefined ? 'failed' : JSON.stringify(await response);
  } catch {
    return 'failed';
  }
}
