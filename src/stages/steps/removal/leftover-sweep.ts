import type { TaggedKind, TaggedResource } from '../../../domain/plan/aws-resource.ts';
import {
  type ByHand,
  describeByHand,
  describeTagged,
  planSweep,
  type SweepPlan,
} from '../../../domain/plan/sweep-plan.ts';
import { managerHostName, type Shard, type StackShard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { StageContext } from '../../context/context.ts';
import { gate } from '../../effects/effect-gate.ts';
import { irreversible } from '../../service/irreversible.ts';

/** Remaining resources, one line each. */
export interface Swept {
  /** Resources that may disappear later, for example once they are no longer in use. */
  readonly passing: readonly string[];
  /** Resources that an operator must remove, with the command. */
  readonly byHand: readonly ByHand[];
}

export interface Sparing {
  readonly known?: ReadonlySet<string>;
  readonly spared?: readonly TaggedKind[];
}

/**
 * Finds resources with exactly the shard's tags that are in no state, removes those that are safe
 * to remove, and returns the rest. The caller has proven that the shard has no job.
 *
 * `known`: ids in the infrastructure's state. `spared`: kinds that are left out.
 */
export async function sweepTagged(
  context: StageContext,
  shard: Shard,
  { known = new Set(), spared = [] }: Sparing = {},
): Promise<Swept> {
  const { settings, ports, log } = context;
  if (settings.aws.sweep === 'off') return { passing: [], byHand: [] };
  const place = { runnerName: settings.runnerName, shard };
  const found = await ports.inventory.list(place);
  const plan = planSweep(
    found.filter(({ kind }) => !spared.includes(kind)),
    { known, manager: managerHostName(place) },
  );
  const report = settings.aws.sweep === 'report';
  if (report) {
    for (const line of [...plan.remove.map(warnOfRemainder), ...plan.byHand.map(describeByHand)])
      log.warn(`Left over from ${shard}: ${line}.`);
    return { passing: [], byHand: [] };
  }
  const passing = [
    ...plan.ending.map((one) => `${describeTagged(one)} is ending`),
    ...waitForManagers(plan, place),
  ];
  for (const resource of plan.remove) {
    const failure = await removeTagged(context, shard, resource);
    if (failure !== undefined) passing.push(`${describeTagged(resource)} is left: ${failure}`);
  }
  return { passing, byHand: plan.byHand };
}

/** Lists workers that wait for the end of their managers. Otherwise the workers are foreign. */
function waitForManagers(plan: SweepPlan, place: StackShard): string[] {
  const name = managerHostName(place);
  const ends = [...plan.remove, ...plan.ending].some((one) => one.name === name);
  if (!ends) return [];
  return plan.workers.map((one) => `${describeTagged(one)} is left until its manager has ended`);
}

function warnOfRemainder(resource: TaggedResource): string {
  return `${describeTagged(resource)} is in no Terraform state`;
}

/** Returns the reason if AWS refuses the removal, for example because the resource is in use. */
async function removeTagged(
  context: StageContext,
  shard: Shard,
  resource: TaggedResource,
): Promise<string | undefined> {
  const { settings, log } = context;
  await gate(context, shard);
  const { inventory } = await irreversible(context, { act: 'change', shard });
  try {
    const place = { runnerName: settings.runnerName, shard };
    if ((await inventory.remove(resource, place)) === 'absent') return undefined;
    log.act(
      `Removed ${describeTagged(resource)}: it has the tags of ${shard} and is in no Terraform state.`,
    );
    return undefined;
  } catch (error) {
    if (!isPortFailure(error) || error.kind !== 'refused' || error.effect !== 'none') throw error;
    return error.detail;
  }
}

/** Returns the shard's ids in the infrastructure's state; undefined if they cannot be listed. */
export async function knownIds(
  { ports, settings }: StageContext,
  shard: Shard,
): Promise<ReadonlySet<string> | undefined> {
  const place = { runnerName: settings.runnerName, shard };
  const known = await ports.infrastructure.listKnown(place);
  return known === 'unknown' ? undefined : new Set(known);
}
