import type { Direction } from '../domain/direction.ts';
import { isServing } from '../domain/guards.ts';
import { shardEntry } from '../domain/record.ts';
import type { RegistryWords } from '../domain/registry-words.ts';
import type { Shard } from '../domain/shard.ts';
import { parseStatus, type Status } from '../domain/status.ts';
import type { DeployError } from '../errors/deploy-error.ts';
import { sharedRegistration } from '../errors/shards.ts';
import { contradiction } from '../errors/state.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Registration } from '../ports/registry.ts';
import type { Host } from '../ports/runner-host.ts';
import { readAtLeast } from '../state/versioned.ts';
import { type StageContext, wordsOf } from './context.ts';

/** What GitLab and AWS say of one shard, side by side. */
export interface ShardView {
  readonly shard: Shard;
  readonly registrations: readonly Registration[];
  readonly serving: boolean;
  /** Why the hosts could not be listed, where they could not. */
  readonly hosts: readonly Host[] | { readonly unknown: string };
}

/** `deployment_status` as one read has shown it; version 0 is none. */
export interface StatusLook {
  readonly status: Status;
  readonly version: number;
  readonly text: string | undefined;
}

export async function readStatus(context: StageContext): Promise<Status> {
  return (await lookAtStatus(context)).status;
}

/** Asks again where the read shows an older version than the one that we know of. */
export async function lookAtStatus(context: StageContext, atLeast = 0): Promise<StatusLook> {
  const { ports, names, settings, log } = context;
  const found = await readAtLeast(ports, names.status, atLeast);
  const status = parseStatus(found?.value, settings.shards);
  log.event({ kind: 'status', active: status.kind === 'known' ? status.active : undefined });
  return { status, version: found?.version ?? 0, text: found?.value };
}

export async function observeShard(context: StageContext, shard: Shard): Promise<ShardView> {
  const { settings } = context;
  const registrations = await findRegistrations(context, shard);
  const hosts = await listHosts(context, shard);
  // GitLab goes on calling a runner online long after its host is gone.
  const hasNoHost = !('unknown' in hosts) && hosts.length === 0;
  const serving = !hasNoHost && registrations.some((one) => isServing(one, settings));
  return { shard, registrations, serving, hosts };
}

/** By description, and by the record's id, in case somebody renamed it. */
export async function findRegistrations(
  { ports, settings, journal }: StageContext,
  shard: Shard,
): Promise<readonly Registration[]> {
  const found = await ports.registry.findByShard({ runnerName: settings.runnerName, shard });
  const recorded =
    journal.version() === 0 ? undefined : shardEntry(journal.current(), shard).registration;
  if (recorded === undefined || found.some(({ id }) => id === recorded)) return found;
  const one = await ports.registry.find(recorded);
  return one.kind === 'found' ? [...found, one.value] : found;
}

export async function listHosts(
  { ports, settings }: StageContext,
  shard: Shard,
): Promise<readonly Host[] | { readonly unknown: string }> {
  if (settings.host.access === 'none') return { unknown: 'host access is configured to none' };
  try {
    return await ports.host.list({ runnerName: settings.runnerName, shard });
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { unknown: error.message };
  }
}

/** The error about a contradiction, with the command that makes an edit by hand whole where that is proven safe. */
export function tellContradiction(
  context: StageContext,
  facts: {
    readonly found: Direction & { kind: 'contradiction' };
    readonly status: Status;
    readonly views: readonly ShardView[];
  },
): DeployError {
  const { found, status, views } = facts;
  const named = found.statusShard;
  const serves = named !== undefined && views.some((view) => view.shard === named && view.serving);
  return contradiction({
    runner: context.settings.runnerName,
    reason: found.reason,
    table: whoSaysWhat(context, status, views),
    ...(serves ? { activate: named } : {}),
    // A status that names no shard that serves: the person has to, and sees which ones could.
    serving: serves ? [] : views.filter((view) => view.serving).map((view) => view.shard),
  });
}

function whoSaysWhat(context: StageContext, status: Status, views: readonly ShardView[]): string {
  const record = context.journal.version() === 0 ? undefined : context.journal.current();
  const deployment = record?.deployment;
  const said = (shard: Shard) => {
    if (status.kind !== 'known') return status.kind;
    return status.active === shard ? 'active' : 'inactive';
  };
  const noted = (shard: Shard) => {
    if (deployment === undefined) return 'none';
    const role = deployment.candidate === shard ? 'candidate' : 'retiring';
    return `${role}, ${deployment.phase}`;
  };
  const words = wordsOf(context);
  const rows = views.map((view) => [
    view.shard,
    said(view.shard),
    noted(view.shard),
    registryWord(view, words),
    hostWord(view),
  ]);
  return table([['shard', 'deployment_status', 'record', words.registry, 'AWS'], ...rows]);
}

function registryWord(
  { registrations, serving }: ShardView,
  { registration, paused: closed }: RegistryWords,
): string {
  if (registrations.length === 0) return 'no registration';
  const ids = registrations
    .map(({ id, paused }) => `${id}${paused ? ` ${closed}` : ''}`)
    .join(', ');
  return `${registration} ${ids}${serving ? ', serves' : ''}`;
}

function hostWord({ hosts }: ShardView): string {
  if ('unknown' in hosts) return 'not known';
  return hosts.length === 0 ? 'no host' : hosts.map(({ id, agent }) => `${id} ${agent}`).join(', ');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Pausing hits a registration with all its managers, so the two shards must not share one. */
export function refuseShared(context: StageContext, views: readonly ShardView[]): void {
  const [one, two] = views;
  const shared = one?.registrations.find(({ id }) =>
    two?.registrations.some((other) => other.id === id),
  );
  if (shared !== undefined)
    throw sharedRegistration({ runner: context.settings.runnerName, id: shared.id });
}
