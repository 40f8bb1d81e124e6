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

/** Options of the `activate` command. */
export interface Activation {
  readonly shard: Shard;
  readonly registration?: RegistrationId;
}

/** Runner with the id that the operator gave. */
export type Named = Registration | 'absent' | 'not_asked';

/** Reads the runner that the operator named, if the registry has ids. */
export async function findNamed(
  context: StageContext,
  id: RegistrationId | undefined,
): Promise<Named> {
  if (id === undefined || !wordsOf(context).hasIds) return 'not_asked';
  const found = await context.ports.registry.find(id);
  return found.kind === 'found' ? found.value : 'absent';
}

/** Returns the runner that the operator named; undefined without a name. */
export function chooseNamed(
  context: StageContext,
  { shard, registration: id }: Activation,
  named: Named,
): Registration | undefined {
  if (id === undefined) return undefined;
  const words = wordsOf(context);
  const place = { runner: context.settings.runnerName, shard, words, found: [] };
  if (named === 'not_asked') {
    const reason = `a ${words.registration} of ${words.registry} has no id, only the name of its shard`;
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

/** Finds the only runner with the shard's description, or of several the recorded one. */
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
    reason: `${found.length === 0 ? `no ${words.registration} has` : `${found.length} ${words.registration}s have`} the description of ${shard}`,
    found: words.hasIds ? found.map(({ id }) => id) : [],
    isMissing: found.length === 0,
  });
}

/**
 * Chooses the runner to retire. Customers use the recorded runner; another runner with the same
 * name may have no manager.
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
    reason: `${wordsOf({ ports }).registration}s ${ids} have the description of ${other}, and the deployment record contains none of them`,
  });
}

/** Refuses, before anything is written, a runner that is not known to belong to this shard. */
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

/** Refuses a runner other than the one with which the activation began. */
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
    reason: `the activation is in phase ${phase}`,
    recorded,
    goes: commandAt(phase),
    words: wordsOf(context),
  });
}

function commandAt(phase: Phase): 'activate' | 'finalize' | undefined {
  if (phase === 'promoting') return 'activate';
  return phase === 'done' ? undefined : 'finalize';
}

/**
 * Refuses a runner with another name, unless one of its managers runs on a host of the shard: a
 * mistyped id may belong to any stack.
 */
async function refuseElsewhere(
  context: StageContext,
  shard: Shard,
  id: RegistrationId,
): Promise<Refusal> {
  const sources = openShardSources(context, shard);
  const { manager, managers } = wordsOf(context);
  const workers = await sources.workers(id);
  if (workers.length === 0) return `it has no ${manager}`;
  const hosts = await listHosts(context, shard, sources);
  if ('unknown' in hosts) return hosts.unknown;
  const systemIds = new Set(workers.map(({ systemId }) => systemId));
  const unresponsive: string[] = [];
  const unnamed: string[] = [];
  const others: string[] = [];
  for (const host of hosts) {
    const word = await ownerOfManager(context, host.id, systemIds);
    if (word === 'its') return undefined;
    ({ silent: unresponsive, unnamed, another: others })[word].push(host.id);
  }
  // A terminated host needs no response.
  const ended = await findEnded(sources, unresponsive);
  const unheard = unresponsive.filter((host) => !ended.has(host));
  const unknown = [
    ...(unheard.length > 0 ? [`${unheard.join(', ')} of ${shard} does not respond`] : []),
    ...(unnamed.length > 0
      ? [`it is unknown which ${manager} runs on ${unnamed.join(', ')} of ${shard}`]
      : []),
  ];
  if (unknown.length > 0) return unknown.join(', and ');
  if (others.length === 0) return `${shard} has no host`;
  return `none of its ${managers} runs on ${others.join(', ')} of ${shard}`;
}

/** Reads whether the host's manager belongs to the runner. A missing report proves nothing. */
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
