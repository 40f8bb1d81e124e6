import { notInState } from '../../../domain/plan/aws-resource.ts';
import { chooseImports, type Taken, type TakenName } from '../../../domain/plan/plan-adoption.ts';
import { describeByHand, planSweep } from '../../../domain/plan/sweep-plan.ts';
import { managerHostName, type Shard } from '../../../domain/shard.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { StageContext } from '../../context/context.ts';
import { knownIds, sweepTagged } from '../removal/leftover-sweep.ts';

/** An instance takes minutes to end, and resources that it uses can be removed only then. */
const mostChecks = 60;
const pauseMs = 5000;

/** Resources that the next apply imports by their names. */
const adopted = ['role', 'instance_profile'] as const;

/** Returns whether the record notes the start of an apply without its end. */
export function isApplyInterrupted({ journal }: StageContext): boolean {
  return journal.current().deployment.phase === 'applying';
}

/**
 * Removes resources that a killed driver created without writing its state. Otherwise a second
 * manager would run. The guard has just confirmed that the shard has no customer job.
 */
export async function removeLeftovers(context: StageContext, candidate: Shard): Promise<void> {
  const { ports, log } = context;
  const known = await knownIds(context, candidate);
  if (known === undefined) return;
  const cadence = { pollMs: pauseMs };
  const left = await pollUntil({ clock: ports.clock, cadence }, async (polls) => {
    const { passing } = await sweepTagged(context, candidate, { known, spared: adopted });
    if (passing.length === 0 || polls >= mostChecks) return done(passing);
    log.wait(`Waiting: ${passing.join('; ')}.`);
    return pending();
  });
  for (const line of left) log.warn(`${line}.`);
}

/** Finds resources to import for taken names. If AWS may not be queried, the names decide. */
export async function findLostResources(
  context: StageContext,
  shard: Shard,
  taken: readonly Taken[],
): Promise<readonly TakenName[]> {
  const { settings, ports } = context;
  const isNamed = taken.every((one) => 'id' in one);
  if (isNamed || settings.aws.sweep === 'off') return chooseImports(taken, []);
  const place = { runnerName: settings.runnerName, shard };
  const known = (await knownIds(context, shard)) ?? new Set();
  const found = await ports.inventory.list(place);
  return chooseImports(taken, notInState(found, known));
}

/** Warns of resources that no state contains after the apply and that are not removed. */
export async function warnOfLeftovers(context: StageContext, candidate: Shard): Promise<void> {
  const { settings, ports, log } = context;
  if (settings.aws.sweep === 'off') return;
  const known = await knownIds(context, candidate);
  if (known === undefined) return;
  const place = { runnerName: settings.runnerName, shard: candidate };
  const { byHand } = planSweep(await ports.inventory.list(place), {
    known,
    manager: managerHostName(place),
  });
  for (const one of byHand) log.warn(`${describeByHand(one)}.`);
}
