import { isBefore, type Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { freshness, hasBornSince } from './ages.ts';
import { age, type Names } from './canonical-names.ts';

interface StoredShard {
  registration?: string;
  highest_manager_before_apply?: number;
  canary_at_apply?: { id: string; started: boolean };
  last_apply?: { at: string; added?: number; changed?: number; destroyed?: number };
  evidence?: { at: string; managers: number[]; canary?: string };
  token_written: boolean;
  unhealthy_in_a_row: number;
  production_tag: boolean;
  removal?: { began: string; ended?: string };
}

interface StoredRecord {
  deployment: Record<string, string>;
  shards: Record<string, StoredShard>;
  history: string[];
}

interface Baked {
  readonly bake?: { readonly until: string; readonly ended?: { readonly verdict: string } };
  readonly takes_back?: object;
}

/**
 * Decides whether the promotion is decided. From then on, the evidence's age and the apply's
 * changes decide nothing in later runs. Only `recover` would read the changes, and no run types it
 * then.
 */
function isDecided(phase: Phase): boolean {
  return !isBefore(phase, 'promoted');
}

/** Returns the remaining time of a bake, or its verdict. */
function bakeOf(world: World, deployment: object): unknown {
  const { bake, takes_back: taken } = deployment as Baked;
  if (bake === undefined) return taken === undefined ? '' : 'takes back';
  return bake.ended === undefined ? age(world, bake.until) : bake.ended.verdict;
}

/** Returns the record with ids as ordinals and times as ages. */
export function canonicalRecord(world: World, stack: StackSettings, names: Names): unknown {
  const text = parameterValue(world, parametersOf(stack).record);
  if (text === undefined) return 'none';
  let stored: StoredRecord;
  try {
    stored = JSON.parse(text) as StoredRecord;
  } catch {
    return text;
  }
  const { id = '', kind, candidate, retiring, phase } = stored.deployment;
  return [
    names.of('pipeline', id),
    kind,
    candidate,
    retiring,
    phase,
    // Only a drain's start time has an effect. Other phases only log it.
    phase === 'draining' ? age(world, stored.deployment['phase_at']) : '',
    bakeOf(world, stored.deployment),
    phase === 'promoting' ? statusesSince(world, stack, stored) : '',
    Object.entries(stored.shards).map(([shard, entry]) => [
      shard,
      storedShard(world, { shard, entry, isDecided: isDecided(phase as Phase) }, names),
    ]),
    stored.history.map((line) => names.of('pipeline', line.split(' ')[0] ?? '')),
  ];
}

/** Returns the values of the status since the promotion began. */
function statusesSince(world: World, stack: StackSettings, { deployment }: StoredRecord): unknown {
  const versions = world.parameters[parametersOf(stack).status]?.versions ?? [];
  const since = Number(deployment['status_version'] ?? 0);
  const values = versions.filter(({ version }) => version >= since).map(({ value }) => value);
  return [...new Set(values.slice(0, -1))].sort();
}

function storedShard(
  world: World,
  { shard, entry, isDecided }: { shard: string; entry: StoredShard; isDecided: boolean },
  names: Names,
): unknown {
  const { registration: id = '', last_apply: apply, evidence, canary_at_apply: canary } = entry;
  const highest = entry.highest_manager_before_apply;
  const managers = world.registrations[id]?.managers ?? [];
  return [
    id === '' ? '' : names.of('registration', id),
    entry.token_written,
    highest === undefined ? '' : managers.map((one) => one.id > highest),
    canary === undefined ? '' : [names.of('job', canary.id), canary.started],
    apply === undefined
      ? ''
      : [
          // The registrations of GitHub's runners take time, so the age counts. For others, only
          // the order counts.
          world.behaviour.runners === undefined
            ? hasBornSince(world, shard, apply.at)
            : age(world, apply.at),
          isDecided || (apply.added ?? 0) + (apply.changed ?? 0) + (apply.destroyed ?? 0) > 0,
        ],
    evidence === undefined
      ? ''
      : [
          isDecided ? '' : freshness(world, evidence.at),
          evidence.managers.map((one) => names.of('manager', String(one))),
        ],
    entry.unhealthy_in_a_row,
    entry.production_tag,
    entry.removal === undefined ? '' : entry.removal.ended !== undefined,
  ];
}
