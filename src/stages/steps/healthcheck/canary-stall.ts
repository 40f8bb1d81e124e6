import { findLogged, registryFaults } from '../../../domain/health/diagnose.ts';
import type { CanaryJob } from '../../../ports/canary.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { findRegistration } from '../../observe/observe.ts';
import { recheckHosts } from './host-evidence.ts';
import { reportsOf, requestsOf, type Watch } from './watch.ts';

/** Minimum wait: a request is held for up to 50 s, and the next request gets a waiting job. */
const patientForMs = 120_000;
const checkEveryMs = 30_000;

/** Observations of the hosts while one canary waits. */
export interface Stall {
  readonly job: string;
  readonly since: number;
  readonly checkedAt: number;
  /** Number of answered job requests of each host at the first check. */
  readonly answered?: ReadonlyMap<string, number> | undefined;
  /** Reason why the registry is the cause. */
  readonly reason?: string | undefined;
  /** Reason that is not read from logs; kept for the next canary. */
  readonly givenToNone?: string | undefined;
}

/**
 * Explains that the registry, not the candidate, keeps a canary waiting. It fails the requests for
 * jobs, or answers them without giving the canary to a runner. `isLong`: another canary is due.
 */
export async function findStall(
  context: StageContext,
  watch: Watch,
  { id }: CanaryJob,
): Promise<{ readonly reason: string; readonly isLong: boolean } | undefined> {
  const now = context.ports.clock.elapsed();
  const { timeoutMs, timeoutsMs } = context.settings.healthcheck;
  const limitMs = Math.min(timeoutMs, timeoutsMs.canary ?? timeoutMs);
  const everyMs = Math.min(checkEveryMs, limitMs / 6);
  if (watch.stall?.job !== id)
    watch.stall = { ...watch.stall, job: id, since: now, checkedAt: now, answered: undefined };
  if (now - watch.stall.checkedAt >= everyMs)
    watch.stall = { ...(await checkAgain(context, watch, watch.stall)), checkedAt: now };
  const { reason, since } = watch.stall;
  if (reason === undefined) return undefined;
  return { reason, isLong: now - since >= Math.min(patientForMs, limitMs / 3) };
}

async function checkAgain(context: StageContext, watch: Watch, stall: Stall): Promise<Stall> {
  await recheckHosts(context, watch);
  const counts = countsOf(watch);
  const failing = whyFailing(context, watch);
  const givenToNone =
    failing === undefined
      ? ((await whyGivenToNone(context, watch, { stall, counts })) ?? stall.givenToNone)
      : stall.givenToNone;
  const reason = failing ?? givenToNone;
  return { ...stall, answered: stall.answered ?? counts, reason, givenToNone };
}

function whyFailing(context: StageContext, watch: Watch): string | undefined {
  const words = wordsOf(context);
  const running = reportsOf(watch).filter(({ process }) => process === 'running');
  const seen = registryFaults
    .map((code) => findLogged({ reports: running }, words, code))
    .find((found) => found !== undefined);
  return seen && `${words.registry} answers its job requests with errors (${seen})`;
}

/** Explains a canary that no runner gets, unless the runner is paused or lacks its tag. */
async function whyGivenToNone(
  context: StageContext,
  watch: Watch,
  { stall, counts }: { readonly stall: Stall; readonly counts: ReadonlyMap<string, number> },
): Promise<string | undefined> {
  const { ports } = context;
  const { registry, manager } = wordsOf(context);
  const id = watch.entry.registration;
  const found = id === undefined ? undefined : await findRegistration(context, id);
  if (
    found?.execution === 'active' ||
    found === undefined ||
    found.paused ||
    !found.tags.includes(ports.canary.tag)
  )
    return undefined;
  const none = `${registry} gave the canary to no ${manager}`;
  if (ports.registry.traits.contactIsLive)
    return found.contacted ? `${none}, although it holds a connection to the candidate` : undefined;
  for (const [host, count] of counts) {
    const before = stall.answered?.get(host);
    if (before !== undefined && count > before)
      return `${none}, although it answered job requests of ${host} meanwhile`;
  }
  return undefined;
}

function countsOf(watch: Watch): ReadonlyMap<string, number> {
  return new Map(
    reportsOf(watch).flatMap((report) => {
      const count = report.process === 'running' ? requestsOf(watch, report)?.answered : undefined;
      return count === undefined ? [] : [[report.id, count] as const];
    }),
  );
}
