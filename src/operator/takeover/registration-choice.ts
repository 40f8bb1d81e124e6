import type { Refusal } from '../../domain/deployment/guards/guards.ts';
import { isKnownAs, requireOwnShard } from '../../domain/deployment/guards/shard-membership.ts';
import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import type { Phase } from '../../domain/deployment/stages-and-steps.ts';
import { otherShard, type RegistrationId, type Shard } from '../../domain/shard.ts';
import { onboardingRefused } from '../../errors/shard-errors.ts';
import { noSuchRegistration, registrationOfOtherShard } from '../../errors/takeover-errors.ts';
import { endsRun, isPortFailure } from '../../ports/failure.ts';
import type { Registration } from '../../ports/registry.ts';
import { type StageContext, wordsOf } from '../../stages/context/context.ts';
import { findEnded } from '../../stages/observe/host-ends.ts';
import { findRegistrations, listHosts } from '../../stages/observe/observe.ts';
import { openShardSources } from '../../stages/observe/shard-sources.ts';

/** What a person has typed. */
export interface Activation {
  readonly shard: Shard;
  readonly registration?: RegistrationId;
}

/** What the registry has under the id that a person has named. */
export type Named = Registration | 'absent' | 'not_asked';

/** Asked only where a person has named one, and where there are ids. */
export async function findNamed(
  context: StageContext,
  id: RegistrationId | undefined,
): Promise<Named> {
  if (id === undefined || !wordsOf(context).hasIds) return 'not_asked';
  const found = await context.ports.registry.find(id);
  return found.kind === 'found' ? found.value : 'absent';
}

/** The one that a person has named; undefined where none is. */
export function chooseNamed(
  context: StageContext,
  { shard, registration: id }: Activation,
  named: Named,
): Registration | undefined {
  if (id === undefined) return undefined;
  const words = wordsOf(context);
  const place = { runner: context.settings.runnerName, shard, words, found: [] };
  if (named === 'not_asked') {
    const reason = `a ${words.registration} of ${words.registry} has no id beside its shard's name`;
    throw noSuchRegistration({ ...place, reason });
  }
  if (named === 'absent')
    throw noSuchRegistration({
      ...place,
      reason: `there is no ${words.registration} ${id}`,
      isMistyped: true,
    });
  return named;
}

/** The only one that has the shard's description, or of several the one that the record knows. */
export async function findOnly(
  context: StageContext,
  shard: Shard,
  record: DeploymentRecord | undefined,
): Promise<Registration> {
  const words = wordsOf(context);
  const found = await findRegistrations(context, shard);
  const { registration: recorded } = shardEntry(record, shard);
  const only = found.length === 1 ? found[0] : found.find(({ id }) => id === recorded);
  if (only !== undefined) return only;
  throw noSuchRegistration({
    runner: context.settings.runnerName,
    shard,
    words,
    reason: `${found.length} ${words.registration}s have its description`,
    found: words.hasIds ? found.map(({ id }) => id) : [],
    isMissing: found.length === 0,
  });
}

/**
 * What is retired. The one that the record knows is what customers are served by; a namesake may have
 * nothing behind it.
 */
export function chooseRetiring(
  { settings: { runnerName: runner, shards }, ports }: StageContext,
  {
    shard,
    record,
    ofOther,
  }: Pick<Parameters<typeof requireOwnShard>[0], 'shard' | 'record' | 'ofOther'>,
): Registration | undefined {
  const other = otherShard(shards, shard);
  const { registration: recorded } = shardEntry(record, other);
  const known = ofOther.find(({ id }) => id === recorded);
  if (known !== undefined || ofOther.length < 2) return known ?? ofOther[0];
  const ids = ofOther.map(({ id }) => id).join(' and ');
  throw onboardingRefused({
    code: 'DuplicateRegistrations',
    runner,
    candidate: other,
    activates: shard,
    reason: `${wordsOf({ ports }).registration}s ${ids} have its description, and the record knows none of them`,
  });
}

/** Before anything is written: what is not known to be this shard's stays as it is. */
export async function requireNamed(
  context: StageContext,
  facts: Omit<Parameters<typeof requireOwnShard>[0], 'settings'>,
): Promise<void> {
  const { settings } = context;
  const { shard, registration } = facts;
  const { id, description } = registration;
  const { runnerName: runner } = settings;
  const words = wordsOf(context);
  const refuse = (kind: 'others' | 'unproven', reason: string) =>
    registrationOfOtherShard({ runner, shard, id, kind, reason, words });
  const reason = requireOwnShard({ ...facts, settings });
  if (reason !== undefined) throw refuse('others', reason);
  if (isKnownAs({ ...facts, settings })) return;
  const elsewhere = await refuseElsewhere(context, shard, id);
  if (elsewhere !== undefined)
    throw refuse('unproven', `its description is "${description}", and ${elsewhere}`);
}

/** What an activation was begun with is what it is finished with. */
export function refuseInstead(
  context: StageContext,
  record: DeploymentRecord,
  { id }: Registration,
): void {
  const { phase, candidate: shard } = record.deployment;
  const { registration: recorded } = shardEntry(record, shard);
  if (recorded === undefined || recorded === id) return;
  throw registrationOfOtherShard({
    runner: context.settings.runnerName,
    shard,
    id,
    kind: 'begun_with_another',
    reason: `it has ${wordsOf(context).registration} ${recorded}, and is ${phase}`,
    recorded,
    goes: commandAt(phase),
    words: wordsOf(context),
  });
}

function commandAt(phase: Phase): 'activate' | 'finalize' | undefined {
  if (phase === 'promoting') return 'activate';
  return phase === 'done' ? undefined : 'finalize';
}

/** A mistyped id is anybody's: what has another name is the shard's by a manager on a host of it. */
async function refuseElsewhere(
  context: StageContext,
  shard: Shard,
  id: RegistrationId,
): Promise<Refusal> {
  const look = openShardSources(context, shard);
  const { manager, managers } = wordsOf(context);
  const workers = await look.workers(id);
  if (workers.length === 0) return `it has no ${manager}`;
  const hosts = await listHosts(context, shard, look);
  if ('unknown' in hosts) return hosts.unknown;
  const systemIds = new Set(workers.map(({ systemId }) => systemId));
  const silent: string[] = [];
  const unnamed: string[] = [];
  const others: string[] = [];
  for (const host of hosts) {
    const word = await ownerOfManager(context, host.id, systemIds);
    if (word === 'its') return undefined;
    ({ silent, unnamed, another: others })[word].push(host.id);
  }
  // One that has ended has nothing to say.
  const ended = await findEnded(look, silent);
  const unheard = silent.filter((host) => !ended.has(host));
  const unknown = [
    ...(unheard.length > 0 ? [`${unheard.join(', ')} of ${shard} does not answer`] : []),
    ...(unnamed.length > 0
      ? [`which ${manager} runs on ${unnamed.join(', ')} of ${shard} is not known`]
      : []),
  ];
  if (unknown.length > 0) return unknown.join(', and ');
  if (others.length === 0) return `${shard} has no host`;
  return `none of its ${managers} runs on ${others.join(', ')} of ${shard}`;
}

/** Whose the manager on a host is, by its own word. What it does not say is no proof of anything. */
async function ownerOfManager(
  { ports }: StageContext,
  host: string,
  systemIds: ReadonlySet<string>,
): Promise<'its' | 'another' | 'silent' | 'unnamed'> {
  try {
    const report = await ports.host.look(host);
    if (report.kind === 'silent') return 'silent';
    if (report.systemId === undefined) return 'unnamed';
    return systemIds.has(report.systemId) ? 'its' : 'another';
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    return 'silent';
  }
}
