import { formatStatus, statusPattern } from '../../domain/deployment/deployment-status.ts';
import type { Repair } from '../../domain/doctor/finding.ts';
import { describeByHand } from '../../domain/plan/sweep-plan.ts';
import type { Shard } from '../../domain/shard.ts';
import { nothingToFix } from '../../errors/recovery-errors.ts';
import { notConfirmed } from '../../errors/takeover-errors.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { requireNoHold } from '../../stages/effects/effect-gate.ts';
import { takeLock } from '../../stages/record/lock/lock.ts';
import { nameHeld } from '../../stages/record/parameter-creation.ts';
import { writeVersioned } from '../../stages/record/parameter-write.ts';
import { completeDeadHooks, planDeadHooks } from '../../stages/steps/removal/dead-hooks.ts';
import { sweepTagged } from '../../stages/steps/removal/leftover-sweep.ts';
import type { Consent } from '../confirm.ts';
import { type Examined, examineStack } from './doctor.ts';

/** Repairs only faults with one possible fix, after it has shown the plan and got consent. */
export async function repairStack(context: StageContext, consent: Consent): Promise<Examined> {
  const { settings, log } = context;
  const runner = settings.runnerName;
  await requireNoHold(context);
  const examined = await examineStack(context, { repairs: true });
  const { findings } = examined;
  const repairs = findings.flatMap(({ repair }) => (repair === undefined ? [] : [repair]));
  const hooks = await planHooks(context);
  if (repairs.length === 0 && hooks.length === 0) {
    if (findings[0]?.code !== 'healthy') throw nothingToFix(runner, findings[0]);
    log.act(`Nothing to repair: ${findings[0].seen}.`);
    return examined;
  }
  for (const plan of [...repairs.map((repair) => repair.plan), ...hooks]) log.act(`Plan: ${plan}.`);
  await agree(consent, runner);
  for (const repair of repairs) await carryOut(context, repair);
  if (hooks.length > 0)
    for (const shard of settings.shards) await completeDeadHooks(context, shard);
  return examineStack(context);
}

async function planHooks(context: StageContext): Promise<string[]> {
  const plans: string[] = [];
  for (const shard of context.settings.shards) plans.push(...(await planDeadHooks(context, shard)));
  return plans;
}

async function agree(consent: Consent, runner: string): Promise<void> {
  if (consent.kind === 'given') return;
  const command = { command: 'doctor --fix', runner };
  if (consent.kind === 'nobody') throw notConfirmed({ command });
  const typed = (await consent.prompt('Type yes to carry out the plan: ')).trim();
  if (typed !== 'yes') throw notConfirmed({ command, typed });
}

async function carryOut(context: StageContext, repair: Repair): Promise<void> {
  switch (repair.kind) {
    case 'write_status':
      return writeStatus(context, repair);
    case 'release_lock':
      return releaseLock(context);
    case 'remove_leftovers':
      return removeLeftovers(context, repair.shard);
  }
}

/** Removes leftovers under the lock: no deployment may build what is removed. */
async function removeLeftovers(context: StageContext, shard: Shard): Promise<void> {
  const lock = await lockFor(context);
  try {
    await sweepLeftovers(context, shard);
  } finally {
    await lock.release(context.ports, lock.record);
  }
}

/** Examines again right before the removal: a machine or a runner may be new since the plan. */
async function sweepLeftovers(context: StageContext, shard: Shard): Promise<void> {
  const { view } = await examineStack(context, { repairs: true });
  const { there } = view.state(shard);
  if (there !== 'no') {
    context.log.warn(`Removed nothing of ${shard}: it may have a runner or a machine now.`);
    return;
  }
  const { passing, byHand } = await sweepTagged(context, shard);
  for (const line of [...passing, ...byHand.map(describeByHand)]) context.log.warn(`${line}.`);
}

/** Creates the status and never overwrites it: another actor may have written it meanwhile. */
async function writeStatus(
  context: StageContext,
  { active }: Repair & { kind: 'write_status' },
): Promise<void> {
  const { ports, names, settings, log } = context;
  const shard = settings.shards.find((one) => one === active);
  if (shard === undefined) throw new Error(`${active} is no shard of the stack`);
  const value = formatStatus(settings.shards, shard);
  await context.journal.fence();
  await writeVersioned({
    ...ports,
    name: names.status,
    value,
    version: 0,
    allowedPattern: statusPattern(settings.shards),
    warnWhenHeld: () => log.wait(nameHeld('the deleted status')),
  });
  log.act(`Wrote ${names.status}: ${active} is active.`);
}

/** Takes the lock over, which proves again that its owner has ended, and releases it. */
async function releaseLock(context: StageContext): Promise<void> {
  const { ports, names, log } = context;
  const lock = await lockFor(context);
  await lock.release(ports, lock.record);
  log.act(`Released ${names.lock}.`);
}

function lockFor({ ports, names, settings, stage, run, log }: StageContext) {
  const { runnerName: runner } = settings;
  const request = { parameter: names.lock, runner, stage, run, byHand: false, log };
  return takeLock({ ...request, ports, uncancelled: ports });
}
