import { isCanaryTag } from '../../domain/deployment/guards/runner-tags.ts';
import { shardEntry } from '../../domain/deployment/record.ts';
import { takesNoNewJob } from '../../domain/registration.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { capital } from '../../domain/text/capital.ts';
import { isPortFailure, PortFailure } from '../../ports/failure.ts';
import type { Registration, Routing } from '../../ports/registry.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { ensure, type Proof } from './effect-gate.ts';

/** Lets only the canary's job match. GitLab requires a runner to have tags or untagged jobs. */
export function quarantineRouting({ ports }: Pick<StageContext, 'ports'>): Routing {
  return { tags: [ports.canary.tag], runUntagged: false };
}

export function productionRouting({ settings }: Pick<StageContext, 'settings'>): Routing {
  const { tags, runUntagged } = settings.registration;
  return { tags, runUntagged };
}

/** Adds the canary tag to the production tags, for a candidate that customers may use. */
export function checkedProductionRouting(context: StageContext): Routing {
  const { tags, runUntagged } = productionRouting(context);
  return { tags: [...tags, context.ports.canary.tag], runUntagged };
}

/** Returns the runner as the last check showed it. */
export async function ensureRouting(
  context: StageContext,
  {
    shard,
    id,
    routing,
    proof,
  }: { shard: Shard; id: RegistrationId; routing: Routing; proof?: Proof },
): Promise<Registration | undefined> {
  const { registry } = context.ports;
  const words = wordsOf(context);
  let shown: Registration | undefined;
  await ensure(context, {
    what: `Gave ${words.registration} ${id} the ${routing.tags.length === 1 ? words.tag : words.tags} ${routing.tags.join(', ') || '(none)'}`,
    shard,
    isDone: async () => {
      shown = await readRegistration(context, id);
      return hasRouting(shown, routing);
    },
    act: () => registry.route(id, routing),
    proof,
  });
  return shown;
}

/** Restores the production tags of a shard that was checked in quarantine. */
export async function restoreTags(context: StageContext, candidate: Shard): Promise<void> {
  const { registration, productionTag } = shardEntry(context.journal.current(), candidate);
  if (registration === undefined || !productionTag) return;
  if ((await context.ports.registry.find(registration)).kind === 'absent') return;
  const routing = checkedProductionRouting(context);
  await ensureRouting(context, { shard: candidate, id: registration, routing });
}

/** Removes a crashed run's canary tag from a shard that accepts jobs. Operators' tags stay. */
export async function dropCanaryTags(context: StageContext, shard: Shard): Promise<void> {
  const { ports, journal, settings, log } = context;
  const { registration: id } = shardEntry(journal.current(), shard);
  const found = id === undefined ? undefined : await ports.registry.find(id);
  if (id === undefined || found?.kind !== 'found') return;
  const left = found.value.tags.filter((tag) => isCanaryTag(tag, settings));
  if (left.length === 0) return;
  const { registry } = ports;
  const words = wordsOf(context);
  if (left.length === found.value.tags.length && !found.value.runUntagged) {
    log.warn(
      `${capital(words.registration)} ${id} of ${shard} takes no customer job: outside hosted-runner, every ${words.tag} except the canary's ${left.join(', ')} was removed. ${words.registry} does not allow the removal of the last ${words.tag}, so add the missing ${words.tags} first.`,
    );
    return;
  }
  await ensure(context, {
    what: `Took the canary's ${left.join(', ')} from ${words.registration} ${id}`,
    isDone: async () =>
      !(await readRegistration(context, id)).tags.some((tag) => isCanaryTag(tag, settings)),
    act: async () => {
      const { tags, runUntagged } = await readRegistration(context, id);
      const kept = tags.filter((tag) => !isCanaryTag(tag, settings));
      await registry.route(id, { tags: kept, runUntagged });
    },
  });
}

/** Returns the runner as the last check showed it. */
export async function ensureIntake(
  context: StageContext,
  {
    shard,
    id,
    intake,
    proof,
    lost,
    shown: before,
  }: {
    shard: Shard;
    id: RegistrationId;
    intake: 'open' | 'closed';
    proof?: Proof | undefined;
    /** Called after a write without a response, which may still take effect. */
    lost?: () => Promise<void>;
    /** Runner as the caller has just read it. */
    shown?: Registration | undefined;
  },
): Promise<Registration | undefined> {
  const { registry } = context.ports;
  const { pausing, unpausing, registration } = wordsOf(context);
  let shown: Registration | undefined;
  let known = before;
  await ensure(context, {
    what: `${intake === 'closed' ? pausing : unpausing} ${registration} ${id}`,
    shard,
    isDone: async () => {
      shown = known ?? (await readRegistration(context, id));
      known = undefined;
      return intake === 'closed' ? takesNoNewJob(shown) : !shown.paused;
    },
    act: async () => {
      try {
        await registry.setIntake(id, intake);
      } catch (error) {
        if (isPortFailure(error) && error.effect !== 'none') await lost?.();
        throw error;
      }
    },
    proof,
  });
  return shown;
}

/** Lets a shard accept customer jobs. A read must show its tags; a stale one is repeated. */
export async function ensureAccepting(
  context: StageContext,
  { shard, id }: { shard: Shard; id: RegistrationId },
): Promise<void> {
  const routing = productionRouting(context);
  const routed = await ensureRouting(context, { shard, id, routing });
  const shown = await ensureIntake(context, { shard, id, intake: 'open', shown: routed });
  if (shown !== undefined && hasRouting(shown, routing)) return;
  await ensureRouting(context, { shard, id, routing });
}

/** Reads a runner that the caller expects to exist; rejects if it is absent. */
export async function readRegistration(
  context: StageContext,
  id: RegistrationId,
): Promise<Registration> {
  const { ports } = context;
  const { registry, registration } = wordsOf(context);
  const found = await ports.registry.find(id);
  if (found.kind === 'found') return found.value;
  throw new PortFailure({
    kind: 'unexpected',
    effect: 'none',
    source: `${registry} ${registration} ${id}`,
    detail: 'it does not exist, but the record names it',
    status: 404,
  });
}

export function hasRouting(registration: Registration, { tags, runUntagged }: Routing): boolean {
  return (
    registration.runUntagged === runUntagged &&
    registration.tags.length === tags.length &&
    tags.every((tag) => registration.tags.includes(tag))
  );
}
