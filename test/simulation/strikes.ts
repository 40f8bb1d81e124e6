import type { Call } from '../fakes/seam.ts';
import type { World } from '../fakes/world.ts';
import type { CallSite } from './call-sites.ts';
import { canonicalHash } from './canonical.ts';
import type { FaultMode } from './fault-modes.ts';
import { type ExploreOptions, type Node, suffixOf } from './node.ts';
import type { RunHooks, RunOrder, Strike } from './one-run.ts';

export interface SeenCall extends Pick<Call, 'own' | 'port' | 'method' | 'effect'> {
  readonly site: CallSite | undefined;
  /** Struck already, here or in another run. */
  readonly again: boolean;
}

const furtherClasses: ReadonlySet<FaultMode> = new Set([
  'unreachable',
  'throttled',
  'unauthenticated',
  'denied',
  'refused',
  'unexpected',
]);

/** A loop that asks the same again and again is struck at its first two rounds in each world. */
const roundsOfALoop = 2;

/** Two runs at the same call of the same place, in the same world, are taken for one. */
export function watching(
  calls: SeenCall[],
  { command }: RunOrder,
  node: Node,
  options: ExploreOptions,
) {
  const rounds = new Map<string, number>();
  return {
    onCall({ own, port, method, args, effect }: Call, world: World) {
      const site = options.findSite(`${port}.${method}`);
      const about = typeof args[0] === 'string' && args[0].startsWith('/') ? args[0] : '';
      const key = `${command} ${site} ${about} ${canonicalHash(world)}`;
      const round = (rounds.get(key) ?? 0) + 1;
      rounds.set(key, round);
      const again =
        round > roundsOfALoop ||
        !options.isNew(`${key} ${round} ${suffixOf(node.going)}`, node.depth);
      calls.push({ own, port, method, effect, site, again });
    },
  };
}

/**
 * What a status means is decided where it is asked, so each class of status strikes each call site
 * once for each kind of beginning; in further worlds one class stands for the others.
 */
export function isClassOf(
  { going, depth }: Node,
  { command }: RunOrder,
  { call, mode }: { call: SeenCall; mode: FaultMode },
  { isNew }: ExploreOptions,
): boolean {
  if (!furtherClasses.has(mode) || call.site === undefined) return true;
  const { active, record } = going.beginning;
  return isNew(`class ${command} ${call.site} ${mode} ${active} ${record}`, depth);
}

/** Some places are reached only after a fault; they are looked for once for each fault and place. */
export function watchingAfter(
  later: SeenCall[],
  { call, mode }: { call: SeenCall; mode: FaultMode },
  { command }: RunOrder,
  { isNew, findSite }: ExploreOptions,
): RunHooks {
  if (mode.startsWith('crash') || !isNew(`after ${command} ${call.site} ${mode}`, 0)) return {};
  return {
    onCall({ own, port, method, effect }: Call) {
      if (own <= call.own) return;
      const site = findSite(`${port}.${method}`);
      if (site !== undefined && isNew(`crashed ${site}`, 0))
        later.push({ own, port, method, effect, site, again: false });
    },
  };
}

/** A read can be behind only where something was changed before it. */
export function strikeOf(
  calls: readonly SeenCall[],
  { own }: SeenCall,
  mode: FaultMode,
): Strike | undefined {
  if (mode !== 'stale') return { call: own, mode };
  const last = calls.slice(0, own).findLast(({ effect }) => effect);
  return last === undefined ? undefined : { call: own, mode, staleSince: last.own };
}
