import {
  hasRegistrationMark,
  isTwin,
  type Onboarding,
  planOnboarding,
  registrationMark,
} from '../../../domain/deployment/onboarding.ts';
import {
  shardEntry,
  withNewToken,
  withPhase,
  withShard,
} from '../../../domain/deployment/record.ts';
import { isBefore } from '../../../domain/deployment/stages-and-steps.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { onboardingRefused } from '../../../errors/shard-errors.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { NewToken } from '../../../ports/registry.ts';
import { type StageContext, timestamp, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { ensure, gate, passGate, readForGate, untilAccepted } from '../../effects/effect-gate.ts';
import { ensureIntake, ensureRouting, quarantineRouting } from '../../effects/routing.ts';
import { findRegistrations } from '../../observe/observe.ts';
import {
  findInSnapshot,
  type ParameterSnapshot,
  readParameters,
} from '../../record/parameter-snapshot.ts';
import { tokenIn, writeToken } from '../../record/token.ts';
import { irreversible } from '../../service/irreversible.ts';
import { hasTokenExpired } from '../healthcheck/token-expiry-search.ts';
import { removeDuplicate, removeTwins, withManagers } from '../removal/duplicates.ts';
import { requireNotAccepting } from './guard.ts';

const creationChecks = 10;

/** Ensures the candidate's runner in quarantine and its token in Parameter Store. */
export async function onboard(context: StageContext, candidate: Shard): Promise<void> {
  const { journal, log } = context;
  const registrations = await withManagers(context, await findRegistrations(context, candidate));
  const tokenEnded = await hasTokenExpired(context, journal.current(), candidate);
  const name = context.names.token(candidate);
  const snapshot = await readForGate(context, name);
  const tokenPresent = tokenIn(await findInSnapshot(context.ports, name, snapshot)) !== undefined;
  const plan = await withGuardEvent(context, 'onboarding', async () => {
    const planned = planOnboarding({
      words: wordsOf(context),
      entry: shardEntry(journal.current(), candidate),
      registrations,
      tokenPresent,
      tokenEnded,
      tokensExpire: context.ports.registry.traits.tokens === 'expiring',
      hasOwnMark: (registration) => hasRegistrationMark(registration.note),
    });
    if (planned.kind !== 'refuse') return planned;
    if (planned.code === 'TokenLost') await ruleOut(context, candidate);
    throw onboardingRefused({ ...planned, runner: context.settings.runnerName, candidate });
  });
  if (plan.kind !== 'create') await requireNotAccepting(context, candidate, plan.registration);
  for (const duplicate of plan.remove) await removeDuplicate(context, candidate, duplicate);
  // Without a request in between, the gate before the creation reuses this snapshot.
  const isNext = plan.kind === 'create' && plan.remove.length === 0;
  const id = await carryOut(context, candidate, plan, isNext ? snapshot : undefined);
  if (plan.kind === 'create') await removeTwins(context, candidate, id);
  const routing = quarantineRouting(context);
  const shown = await ensureRouting(context, { shard: candidate, id, routing });
  await ensureIntake(context, { shard: candidate, id, intake: 'open', shown });
  await copyAssignments(context, candidate, id);
  const record = journal.current();
  if (isBefore(record.deployment.phase, 'onboarded')) {
    await journal.write(withPhase(record, 'onboarded', timestamp(context)));
    log.act(
      `Onboarded ${candidate}: ${wordsOf(context).registration} ${id} is in quarantine (it takes only the canary), and its token is in Parameter Store.`,
    );
  }
}

/**
 * Counts a candidate without its token as unhealthy twice in a row, so rule 6 allows its removal.
 * Without the token it cannot be started again or promoted, and another check would find the same.
 */
async function ruleOut({ journal }: StageContext, candidate: Shard): Promise<void> {
  const record = journal.current();
  const { unhealthyInARow } = shardEntry(record, candidate);
  const counted = Math.max(2, unhealthyInARow + 1);
  await journal.write(withShard(record, candidate, { unhealthyInARow: counted }));
}

async function carryOut(
  context: StageContext,
  candidate: Shard,
  plan: Exclude<Onboarding, { kind: 'refuse' }>,
  snapshot?: ParameterSnapshot,
): Promise<RegistrationId> {
  const { journal, log } = context;
  if (plan.kind === 'keep') {
    const entry = shardEntry(journal.current(), candidate);
    if (entry.registration !== plan.registration.id || !entry.tokenWritten) {
      await journal.write(
        withShard(journal.current(), candidate, {
          registration: plan.registration.id,
          tokenWritten: true,
        }),
      );
    }
    return plan.registration.id;
  }
  if (plan.kind === 'create') {
    const { id, ...token } = await untilAccepted(context, () =>
      create(context, candidate, snapshot),
    );
    log.act(`Registered ${candidate} as ${wordsOf(context).registration} ${id} (${plan.reason}).`);
    await storeToken(context, candidate, id, token);
    return id;
  }
  const { id } = plan.registration;
  await gate(context, candidate);
  const token = await resetToken(context, candidate, id);
  log.act(`Replaced the token of ${wordsOf(context).registration} ${id}: ${plan.reason}.`);
  await storeToken(context, candidate, id, token);
  return id;
}

function resetToken(
  context: StageContext,
  candidate: Shard,
  id: RegistrationId,
): Promise<NewToken> {
  return untilAccepted(context, async () => {
    const { registry } = await irreversible(context, { act: 'change', shard: candidate });
    return registry.resetToken(id);
  });
}

async function create(
  context: StageContext,
  candidate: Shard,
  snapshot?: ParameterSnapshot,
): Promise<{ id: RegistrationId } & NewToken> {
  const { ports, settings, run } = context;
  await passGate(context, snapshot ?? (await readForGate(context)), candidate);
  try {
    return await ports.registry.create({
      shard: { runnerName: settings.runnerName, shard: candidate },
      settings: settings.registration,
      tags: quarantineRouting(context).tags,
      note: registrationMark(run.deploymentId),
    });
  } catch (error) {
    if (!isPortFailure(error) || error.effect === 'none') throw error;
    return await recoverCreated(context, candidate, error);
  }
}

/** Finds a runner whose creation got no response. Its token is lost and must be reset. */
async function recoverCreated(context: StageContext, candidate: Shard, cause: Error) {
  const { ports, settings } = context;
  return pollUntil({ clock: ports.clock, cadence: { pollMs: 1000 } }, async (polls) => {
    if (polls > creationChecks) throw cause;
    const found = await ports.registry.findByShard({
      runnerName: settings.runnerName,
      shard: candidate,
    });
    const created = found.find(isTwin);
    if (created === undefined) return pending();
    await gate(context, candidate);
    return done({ id: created.id, ...(await resetToken(context, candidate, created.id)) });
  });
}

async function storeToken(
  context: StageContext,
  candidate: Shard,
  id: RegistrationId,
  { token, expiresAt }: NewToken,
): Promise<void> {
  const { journal, ports, names, log } = context;
  const name = names.token(candidate);
  // Record first: only `token_written` confirms that a stored token belongs to this runner.
  await journal.write(
    withNewToken(journal.current(), candidate, { registration: id, endsAt: expiresAt }),
  );
  let snapshot: ParameterSnapshot | undefined;
  await ensure(context, {
    what: `Stored the token of ${wordsOf(context).registration} ${id} in ${name}`,
    shard: candidate,
    isNew: true,
    isDone: async () => {
      // The snapshot that shows the token is reused by the write of the record.
      snapshot = await readParameters(ports, [name, names.lock]);
      return (await findInSnapshot(ports, name, snapshot))?.value === token;
    },
    act: () => writeToken(context, name, token),
  });
  await journal.write(withShard(journal.current(), candidate, { tokenWritten: true }), snapshot);
  log.event({ kind: 'token_stored', registration: id });
}

/** Assigns the candidate to the retiring runner's projects, if it is a project runner. */
async function copyAssignments(
  context: StageContext,
  candidate: Shard,
  id: RegistrationId,
): Promise<void> {
  const { journal, ports, settings, log } = context;
  const { scope, locked } = settings.registration;
  if (scope.kind !== 'project') return;
  const { retiring } = journal.current().deployment;
  const from =
    retiring === undefined ? undefined : shardEntry(journal.current(), retiring).registration;
  if (from === undefined && !locked) return;
  const { added, hidden } = await untilAccepted(context, async () => {
    await gate(context, candidate);
    return ports.registry.copyAssignments({
      to: id,
      locked,
      ...(from === undefined ? {} : { from }),
    });
  });
  if (added > 0) log.act(`Assigned runner ${id} to ${added} projects of runner ${from}.`);
  if (hidden === 'unknown')
    log.warn(
      `Runner ${from} may have projects that this token cannot see. Runner ${id} does not take their jobs.`,
    );
  else if (hidden > 0)
    log.warn(
      `This token cannot see ${hidden} of the projects of runner ${from}. Runner ${id} does not take their jobs: assign it to these projects by hand.`,
    );
}
