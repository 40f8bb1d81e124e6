import { formatStatus, type Status } from '../../../domain/deployment/deployment-status.ts';
import type { Direction } from '../../../domain/deployment/direction.ts';
import { isAcceptingJobs } from '../../../domain/deployment/guards/guards.ts';
import type { Service } from '../../../domain/health/service-verdict.ts';
import type { RegistryTerms } from '../../../domain/registry-terms.ts';
import type { Shard } from '../../../domain/shard.ts';
import type { DeployError } from '../../../errors/deploy-error.ts';
import { sharedRegistration } from '../../../errors/shard-errors.ts';
import { contradiction } from '../../../errors/state-errors.ts';
import type { Registration } from '../../../ports/registry.ts';
import type { Host } from '../../../ports/runner-host.ts';
import { ofShard, recordOf, type StageContext, wordsOf } from '../../context/context.ts';
import { allSettledOrThrow, inParallel } from '../../context/parallel.ts';
import { listHosts } from '../observe.ts';
import { openShardSources } from '../shard-sources.ts';
import { checkService, checkServiceOnce } from './service-watch.ts';

/** One shard as GitLab and AWS report it. */
export interface ShardView {
  readonly shard: Shard;
  readonly registrations: readonly Registration[];
  /** Verdict of one check. */
  readonly service: Service;
  /** Whether the shard is verified, or is unpaused with a contact and not known to have ended. */
  readonly acceptsJobs: boolean;
  /** The shard's hosts, or the reason why they could not be listed. */
  readonly hosts: readonly Host[] | { readonly unknown: string };
}

/** Observes both shards in parallel, in the order of the settings. */
export async function observeShards(context: StageContext): Promise<readonly ShardView[]> {
  return inParallel(context.settings.shards, (shard) => observeShard(context, shard));
}

async function observeShard(context: StageContext, shard: Shard): Promise<ShardView> {
  const sources = openShardSources(context, shard);
  const [registrations, hosts, service] = await allSettledOrThrow(
    () => sources.registrations(),
    () => listHosts(context, shard, sources),
    () => checkServiceOnce(context, shard, { seen: sources }),
  );
  // GitLab reports a runner as online long after its host is gone.
  const hasNoHost = !('unknown' in hosts) && hosts.length === 0;
  const canAccept =
    !hasNoHost && registrations.some((one) => isAcceptingJobs(one, ofShard(context, shard)));
  return { shard, registrations, service, acceptsJobs: isAccepting(service, canAccept), hosts };
}

function isAccepting(service: Service, canAccept: boolean): boolean {
  if (service.kind === 'unknown') return canAccept;
  return service.kind === 'proven';
}

/** Repeats an inconclusive check, because an operator chooses a shard by the result. */
async function checkAgain(context: StageContext, view: ShardView): Promise<ShardView> {
  if (view.service.kind !== 'unknown' || !view.service.open) return view;
  const service = await checkService(context, view.shard);
  return { ...view, service, acceptsJobs: isAccepting(service, view.acceptsJobs) };
}

/**
 * Returns the error about a contradiction. It offers the command that completes a manual edit, if
 * that is proven safe.
 */
export async function warnOfContradiction(
  context: StageContext,
  facts: {
    readonly found: Direction & { kind: 'contradiction' };
    readonly status: Status;
    readonly views: readonly ShardView[];
    /** Shard that was reopened first: customers would have been left without a runner. */
    readonly opened?: Shard | undefined;
  },
): Promise<DeployError> {
  const { found, status, opened } = facts;
  const { settings, names } = context;
  const views = await Promise.all(facts.views.map((view) => checkAgain(context, view)));
  for (const { shard, service } of views) context.memory.serviceForNowLine.set(shard, service);
  const named = found.statusShard;
  const isProven = views.some(({ shard, service }) => shard === named && service.kind === 'proven');
  return contradiction({
    runner: settings.runnerName,
    reason: found.reason,
    table: formatSources(context, status, views),
    ...(isProven && named !== undefined ? { activate: named } : {}),
    // Without a verified shard in the status, the operator must name one of these.
    accepting: isProven ? [] : listActivatable(views).map((view) => view.shard),
    ...(opened === undefined ? {} : { opened }),
    ...(found.expected === undefined
      ? {}
      : {
          undo: { parameter: names.status, value: formatStatus(settings.shards, found.expected) },
        }),
  });
}

/**
 * Lists the shards to offer for activation. Verified shards exclude all others, whose activation
 * may wait in vain. If no shard accepts jobs, it lists shards that are only paused: an activation
 * reopens and verifies them first.
 */
function listActivatable(views: readonly ShardView[]): readonly ShardView[] {
  const proven = views.filter(({ service }) => service.kind === 'proven');
  if (proven.length > 0) return proven;
  const accepting = views.filter((view) => view.acceptsJobs);
  return accepting.length > 0 ? accepting : views.filter(isOnlyPaused);
}

function isOnlyPaused({ registrations, service, hosts }: ShardView): boolean {
  if (registrations.length !== 1 || service.kind !== 'closed' || 'unknown' in hosts) return false;
  return hosts.some(({ agent }) => agent === 'online');
}

function formatSources(context: StageContext, status: Status, views: readonly ShardView[]): string {
  const record = recordOf(context);
  const deployment = record?.deployment;
  const formatRole = (shard: Shard) => {
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
    formatRole(view.shard),
    noted(view.shard),
    formatRegistry(view, words),
    formatHosts(view),
  ]);
  return table([['shard', 'deployment_status', 'record', words.registry, 'AWS'], ...rows]);
}

function formatRegistry(
  { registrations, service, acceptsJobs }: ShardView,
  { registration, paused: closed }: RegistryTerms,
): string {
  if (registrations.length === 0) return 'no runner';
  const ids = registrations
    .map(({ id, paused }) => `${id}${paused ? ` ${closed}` : ''}`)
    .join(', ');
  const isProven = service.kind === 'proven';
  return `${registration} ${ids}${isProven ? ', accepts jobs' : acceptsJobs ? ', may accept jobs' : ''}`;
}

function formatHosts({ hosts }: ShardView): string {
  if ('unknown' in hosts) return 'unknown';
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

/** Refuses a runner that both shards share: pausing a runner affects all of its managers. */
export function refuseShared(context: StageContext, views: readonly ShardView[]): void {
  const [one, two] = views;
  const shared = one?.registrations.find(({ id }) =>
    two?.registrations.some((other) => other.id === id),
  );
  if (shared !== undefined)
    throw sharedRegistration({ runner: context.settings.runnerName, id: shared.id });
}
