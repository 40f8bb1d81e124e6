import type { GitLabServer } from '../../adapters/gitlab/metadata.ts';
import { readServer } from '../../adapters/gitlab/metadata.ts';
import {
  describeVersion,
  isOlderThan,
  isVersion,
  oldestGitLab,
} from '../../adapters/gitlab/version.ts';
import { createTransport } from '../../adapters/transport/transport.ts';
import type { StackSettings } from '../../domain/settings.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { gitlabTooOld } from '../../errors/external-errors.ts';
import { endsRun, isPortFailure, type PortFailure } from '../../ports/failure.ts';
import type { Log } from '../../ports/log-event.ts';
import { restrictCalls, type Surroundings } from './compose.ts';
import { oneShortAttempt } from './gitlab-opening.ts';
import { gitlabToken } from './gitlab-token.ts';

/** Time for the request to leave: loading the next code blocks this thread. */
const handOverMs = 50;
const largestClockDifferenceMs = 60_000;

export type ServerProbe =
  | { readonly kind: 'server'; readonly server: GitLabServer; readonly aheadMs?: number }
  | { readonly kind: 'failed'; readonly failure: PortFailure }
  /** The stage notices the cancel at its first call. */
  | { readonly kind: 'cancelled' };

/**
 * Sends the first request to GitLab as soon as address and token are known, while the rest of the
 * program loads. The promise is wrapped in an object, which an `await` does not resolve.
 */
export async function probeServer(
  settings: Pick<StackSettings, 'gitlabUrl' | 'callLimits'>,
  surroundings: Surroundings,
): Promise<{ readonly answer: Promise<ServerProbe> }> {
  const { environment, clock, redactor, signal, budget } = surroundings;
  const token = gitlabToken(environment);
  redactor.add(token);
  restrictCalls(settings, budget);
  const transport = createTransport({
    ...surroundings,
    signal: () => signal,
    limits: oneShortAttempt,
  });
  let answer: Promise<ServerProbe> | undefined;
  const given = new AbortController();
  const sent = new Promise<void>((onSent) => {
    const serverRequest = { url: settings.gitlabUrl, token, transport, redactor, onSent };
    answer = readServer(serverRequest).then(
      (server) => toServerProbe(server, clock.now()),
      (error: unknown) => failed(error, signal),
    );
  });
  await Promise.race([sent, answer, clock.sleep(handOverMs, given.signal).catch(() => {})]);
  given.abort();
  // If no caller awaits the probe, the run has already ended with a worse error.
  answer?.catch(() => {});
  return { answer: answer as Promise<ServerProbe> };
}

function toServerProbe(server: GitLabServer, now: number): ServerProbe {
  return {
    kind: 'server',
    server,
    ...(server.now === undefined ? {} : { aheadMs: now - server.now }),
  };
}

function failed(error: unknown, signal: AbortSignal): ServerProbe {
  if (signal.aborted) return { kind: 'cancelled' };
  if (isPortFailure(error)) return { kind: 'failed', failure: error };
  throw error;
}

/**
 * Refuses an unknown token in every stage. A wait would otherwise find nothing until its deadline,
 * and a preflight would report missing permissions. Other failures may pass.
 *
 * @param probes the stage begins a deployment, which is refused on an older GitLab
 */
export function checkServer(
  probe: ServerProbe,
  { log, probes }: { log: Log; probes: boolean },
): void {
  if (probe.kind === 'cancelled') return;
  if (probe.kind === 'failed') {
    const { failure } = probe;
    log.event({ kind: 'gitlab', outcome: failure.kind, detail: failure.message });
    if (endsRun(failure)) throw failure;
    return;
  }
  const { server, aheadMs = 0 } = probe;
  const { version, enterprise } = server;
  log.event({ kind: 'gitlab', outcome: 'answered', version, enterprise, ahead_ms: aheadMs });
  judgeVersion(version, { log, probes });
  if (Math.abs(aheadMs) < largestClockDifferenceMs) return;
  const words = aheadMs > 0 ? 'ahead of' : 'behind';
  log.warn(
    `The clock of this machine is ${formatDuration(Math.abs(aheadMs))} ${words} GitLab's: times in the record and the age of evidence use the clock of this machine.`,
  );
}

/**
 * Checks the version. An older GitLab refuses a new deployment; a deployment in progress continues
 * with a warning.
 */
function judgeVersion(version: string, { log, probes }: { log: Log; probes: boolean }): void {
  if (!isVersion(version)) {
    log.warn(`GitLab reports the unknown version "${version}".`);
    return;
  }
  if (!isOlderThan(version, oldestGitLab)) return;
  const oldest = describeVersion(oldestGitLab);
  if (probes) throw gitlabTooOld({ version, oldest });
  log.warn(`GitLab is ${version}, but ${oldest} is the oldest supported version.`);
}
