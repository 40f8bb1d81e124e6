import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { unseenIn } from '../beginnings/variants.ts';
import { isChosen } from '../chance.ts';
import type { Going } from '../going-on.ts';
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

/** The faults that are played at a call: of machines one at most in a schedule, and at one in so many. */
export function modesPlayed(
  { story, depth }: Node,
  call: SeenCall,
  { modes, machinesOneIn }: ExploreOptions,
): readonly FaultMode[] {
  if (machinesOneIn === undefined)
    return modesOf(call).filter((mode) => modes?.includes(mode) !== false);
  const hasMachines = story.some(({ mode }) => isMachineMode(mode));
  const ofMachines = hasMachines ? [] : machineModesOf(call);
  // The last fault of a schedule without an event of machines is one.
  const others = hasMachines || depth > 1 ? modesOf(call) : [];
  return [...ofMachines, ...others].filter((mode) =>
    isChosen(`${call.key} ${mode}`, machinesOneIn),
  );
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

/** In brief, each mode strikes each call site of each command once in the runs that come later. */
export function isCovered(
  { going, depth }: Node,
  { command }: RunOrder,
  { call, mode }: { call: SeenCall; mode: FaultMode },
  { isNew, brief = false }: ExploreOptions,
): boolean {
  if (!brief) return false;
  const unseen = unseenIn(going.beginning.variant);
  const isKnown = !isNew(`once ${command} ${call.site} ${mode} ${unseen}`, depth);
  return isKnown && !goesOn(going);
}

/** Whether a run still has to do with its beginning; the next one begins at a phase as others do. */
function goesOn({ run, beginning: { record } }: Going): boolean {
  // It is adopted, or what a person is told to type ends the contradiction, before it goes on.
  const isLedUpTo = record === 'adopted' || record === 'edited';
  return run <= (isLedUpTo ? 1 : 0);
}

/** Some places are reached only after a fault; they are looked for once for each fault and place. */
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
