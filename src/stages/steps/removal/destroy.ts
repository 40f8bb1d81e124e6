import { isMadeByOneOf, isTwin } from '../../../domain/deployment/onboarding.ts';
import { isFirstApplyUnended, shardEntry } from '../../../domain/deployment/record.ts';
import { retiredToken } from '../../../domain/deployment/token-retirement.ts';
import { warnOfOtherRunner } from '../../../domain/drain/foreign-runner.ts';
import { describeKept, formatRemoval } from '../../../domain/plan/sweep-plan.ts';
import type { Shard } from '../../../domain/shard.ts';
import { capital } from '../../../domain/text/capital.ts';
import { fromPortFailure } from '../../../errors/external-errors.ts';
import { leftovers } from '../../../errors/shard-errors.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { describeCounts } from '../../../ports/infrastructure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { Registration } from '../../../ports/registry.ts';
import { againOf, type StageContext, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { buildMs, requireLastingCredentials } from '../../effects/deadline.ts';
import { ensure, gate, passGate, readForGate } from '../../effects/effect-gate.ts';
import { listPresentHosts } from '../../observe/host-ends.ts';
import { findInSnapshot } from '../../record/parameter-snapshot.ts';
import { tokenIn } from '../../record/token.ts';
import { irreversible } from '../../service/irreversible.ts';
import { completeDeadHooks } from './dead-hooks.ts';
import { removeDuplicate, withManagers } from './duplicates.ts';
import { type Swept, sweepTagged } from './leftover-sweep.ts';
import { restoreRegistration } from './restore-registration.ts';

/** Systems Manager lists a terminated host for a while. */
const absenceChecks = 60;
const listChecks = 4;
const checkPauseMs = 5000;

/** Removes infrastructure and token, and proves that only foreign resources are left. */
export async function destroy(context: StageContext, shard: Shard): Promise<void> {
  const { ports, settings, journal, log } = context;
  const target = { runnerName: settings.runnerName, shard };
  // A tool that outlived its run shows no resources while it builds. Only its lock, which the
  // destroy takes, reveals it.
  const mayBeBuilt = isFirstApplyUnended(shardEntry(journal.current(), shard));
  if (mayBeBuilt || (await ports.infrastructure.exists(target)) !== 'absent') {
    requireLastingCredentials(context, buildMs);
    await gate(context, shard);
    const { infrastructure } = await irreversible(context, { act: 'destroy', shard });
    await withGuardEvent(context, 'plan', () =>
      asFailed(context, async () => {
        for await (const event of infrastructure.destroy(target)) {
          if (event.kind === 'progress') log.wait(event.text);
          else if (event.kind === 'taken') throw event.error;
          else log.act(`Destroyed ${shard}: ${describeCounts(event.counts)}.`);
        }
      }),
    );
  }
  await removeToken(context, shard);
  await completeDeadHooks(context, shard);
  await proveNothingLeft(context, shard);
  await restoreRegistration(context, shard);
}

/**
 * Turns a port failure into an error of the run. A tool that does not end may hang at each run, so
 * a retry would not help.
 */
async function asFailed(context: StageContext, carryOut: () => Promise<void>): Promise<void> {
  try {
    await carryOut();
  } catch (error) {
    throw isPortFailure(error) ? fromPortFailure(error, againOf(context)) : error;
  }
}

/**
 * Overwrites the token, so the next deployment can use its name at once. A late overwrite could
 * replace the next token. After an overwrite without a response, in this run or a crashed one, the
 * name is deleted instead. AWS then reserves the name, which separates the two tokens.
 */
async function removeToken(context: StageContext, shard: Shard): Promise<void> {
  const { ports, names } = context;
  const token = names.token(shard);
  const { resumedIn } = context.memory;
  const isFirst = resumedIn !== 'destroying' && resumedIn !== 'retreating';
  if (isFirst && (await retireToken(context, shard))) return;
  await ensure(context, {
    what: `Removed the token ${token}`,
    shard,
    isDone: async () => (await ports.parameters.find(token)) === undefined,
    act: () => ports.parameters.remove(token),
  });
}

/** Returns false if the parameter must be deleted. */
async function retireToken(context: StageContext, shard: Shard): Promise<boolean> {
  const { ports, names, log } = context;
  const name = names.token(shard);
  const snapshot = await readForGate(context, name);
  if (tokenIn(await findInSnapshot(ports, name, snapshot)) === undefined) return true;
  await passGate(context, snapshot, shard);
  try {
    await ports.parameters.overwrite({ name, value: retiredToken, secret: true });
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return false;
  }
  log.act(`Removed the token ${name}.`);
  return true;
}

async function proveNothingLeft(context: StageContext, shard: Shard): Promise<void> {
  const { ports, settings, stage, log } = context;
  const cadence = { pollMs: checkPauseMs };
  const left = await pollUntil({ clock: ports.clock, cadence }, async (checks) => {
    const { passing, byHand, others, twins } = await whatIsLeft(context, shard);
    for (const one of twins) await removeDuplicate(context, shard, one);
    const all = [...passing, ...byHand.map(describeKept)];
    // Resources that an operator must remove disappear only from a stale list, not by waiting.
    const isByHand = passing.length === 0 && checks >= listChecks;
    if (all.length === 0 || isByHand || checks > absenceChecks)
      return done({ all, byHand, others });
    log.wait(`Waiting: ${all.join('; ')}.`);
    return pending();
  });
  if (left.all.length > 0) {
    const { registry, registration } = wordsOf(context);
    const warnings = left.others.map((id) => warnOfOtherRunner({ registry, registration, id }));
    const byHand = [formatRemoval(left.byHand), ...warnings.map(capital)]
      .filter((line) => line !== '')
      .join('; ');
    throw leftovers({ runner: settings.runnerName, shard, left: left.all, byHand, stage });
  }
  log.act(`Confirmed that no resource of ${shard} is left.`);
}

interface Remains extends Swept {
  /** Foreign runners with the shard's description. */
  readonly others: readonly string[];
  /** Runners of this deployment from a run that ended before the record contained them. */
  readonly twins: readonly Registration[];
}

async function whatIsLeft(context: StageContext, shard: Shard): Promise<Remains> {
  const { ports, settings, journal } = context;
  const target = { runnerName: settings.runnerName, shard };
  const { passing, byHand } = await sweepTagged(context, shard);
  const left = [...passing];
  const hosts = await listPresentHosts(context, shard);
  if (!('unknown' in hosts))
    left.push(...hosts.map(({ id }) => `host ${id} of ${shard} still exists`));
  if ((await ports.infrastructure.exists(target)) === 'present')
    left.push(`the infrastructure of ${shard} still exists`);
  const record = journal.current();
  const { registration, routingBefore } = shardEntry(record, shard);
  const others: string[] = [];
  const twins: Registration[] = [];
  for (const one of await withManagers(context, await ports.registry.findByShard(target))) {
    const { id } = one;
    // The runner existed before this deployment and stays.
    if (id === registration && routingBefore !== undefined) continue;
    if (id !== registration && isTwin(one) && isMadeByOneOf(record, one)) twins.push(one);
    else if (id !== registration) others.push(id);
    left.push(
      others.includes(id)
        ? `${wordsOf(context).registration} ${id} has the description of ${shard}, but hosted-runner did not create it`
        : `${wordsOf(context).registration} ${id} is still registered`,
    );
  }
  return { passing: left, byHand, others, twins };
}
