import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { unseenIn } from '../beginnings/variants.ts';
import { isChosen } from '../chance.ts';
import type { Going } from '../continuation.ts';
import type { ExploreOptions, Node } from '../node.ts';
import type { RunHooks, RunOrder, Strike } from '../one-run.ts';
import { type FaultMode, modesOf } from './fault-modes.ts';
import { isMachineMode, machineModesOf } from './machine-faults.ts';
import type { LaterCall, SeenCall } from './seen-calls.ts';

const furtherClasses: ReadonlySet<FaultMode> = new Set([
  'unreachable',
  'throttled',
  'unauthenticated',
  'denied',
  'refused',
  'unexpected',
]);

/**
 * Returns the faults for a call. A schedule has at most one machine fault, and only a sample of the
 * calls gets one.
 */
export function modesPlayed(
  { story, depth }: Node,
  call: SeenCall,
  { modes, machinesOneIn }: ExploreOptions,
): readonly FaultMode[] {
  if (machinesOneIn === undefined)
    return modesOf(call).filter((mode) => modes?.includes(mode) !== false);
  const hasMachines = story.some(({ mode }) => isMachineMode(mode));
  const ofMachines = hasMachines ? [] : machineModesOf(call);
  // A schedule without a machine fault so far must end with one.
  const others = hasMachines || depth > 1 ? modesOf(call) : [];
  return [...ofMachines, ...others].filter((mode) =>
    isChosen(`${call.key} ${mode}`, machinesOneIn),
  );
}

/**
 * Decides whether this class of status strikes here. The caller interprets a status, so each class
 * strikes each call site once per kind of beginning. In other worlds, one class represents the
 * others.
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

/**
 * Decides whether brief mode can skip a fault. In later runs, each mode strikes each call site of
 * each command once.
 */
export function isCovered(
  { going, depth }: Node,
  { command }: RunOrder,
  { call, mode }: { call: SeenCall; mode: FaultMode },
  { isNew, brief = false }: ExploreOptions,
): boolean {
  if (!brief) return false;
  const unseen = unseenIn(going.beginning.variant);
  const isKnown = !isNew(`once ${command} ${call.site} ${mode} ${unseen}`, depth);
  return isKnown && !isAtBeginning(going);
}

/**
 * Decides whether a run still depends on its beginning. The next run begins at a phase like any
 * other.
 */
function isAtBeginning({ run, beginning: { record } }: Going): boolean {
  // The first run adopts the deployment, or the operator's command resolves the contradiction,
  // before the pipeline resumes.
  const isLedUpTo = record === 'adopted' || record === 'edited';
  return run <= (isLedUpTo ? 1 : 0);
}

/** Watches for places that only a fault leads to, once for each fault and place. */
export function watchingAfter(
  later: LaterCall[],
  { call, mode }: { call: SeenCall; mode: FaultMode },
  { isNew, findSite }: ExploreOptions,
): RunHooks {
  if (mode.startsWith('crash') || !isNew(`after ${call.site} ${mode}`, 0)) return {};
  return {
    onCall({ own, port, method }: Call) {
      if (own <= call.own) return;
      const site = findSite(`${port}.${method}`);
      if (site !== undefined && isNew(`crashed ${site}`, 0)) later.push({ own, site });
    },
  };
}

/** Returns the strike of a mode. A read can only be stale after an earlier effect. */
export function strikeOf(
  calls: readonly SeenCall[],
  { own }: SeenCall,
  mode: FaultMode,
): Strike | undefined {
  if (mode !== 'stale') return { call: own, mode };
  const last = calls.slice(0, own).findLast(({ effect }) => effect);
  return last === undefined ? undefined : { call: own, mode, staleSince: last.own };
}
