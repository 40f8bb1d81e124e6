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
import { gitlabToken } from './gitlab-token.ts';

/** Everything else may wait for this answer, so it is asked once and not for long. */
const limits = { attempts: 1, attemptMs: 5500, callMs: 5500 };
/** What is loaded next holds this thread up, so the question goes out first, if it goes at once. */
const handOverMs = 50;
const largestClockDifferenceMs = 60_000;

export type ServerProbe =
  | { readonly kind: 'server'; readonly server: GitLabServer; readonly aheadMs?: number }
  | { readonly kind: 'failed'; readonly failure: PortFailure }
  /** The stage itself notices at its first call. */
  | { readonly kind: 'cancelled' };

/**
 * Asks GitLab who it is as soon as its address and token are known, and lets the rest of the program
 * be loaded meanwhile. The answer is a promise in an object: it is not waited for here.
 */
export async function probeServer(
  settings: Pick<StackSettings, 'gitlabUrl' | 'callLimits'>,
  surroundings: Surroundings,
): Promise<{ readonly answer: Promise<ServerProbe> }> {
  const { environment, clock, redactor, signal, budget } = surroundings;
  const token = gitlabToken(environment);
  redactor.add(token);
  restrictCalls(settings, budget);
  const transport = createTransport({ ...surroundings, signal: () => signal, limits });
  let answer: Promise<ServerProbe> | undefined;
  const given = new AbortController();
  const sent = new Promise<void>((onSent) => {
    const asked = { url: settings.gitlabUrl, token, transport, redactor, onSent };
    answer = readServer(asked).then(
      (server) => toServerProbe(server, clock.now()),
      (error: unknown) => failed(error, signal),
    );
  });
  await Promise.race([sent, answer, clock.sleep(handOverMs, given.signal).catch(() => {})]);
  given.abort();
  // Whoever never comes to wait for it has had a worse error by then.
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
 * A token that GitLab does not know ends the stage here, whatever the stage is: a wait would see nothing
 * until its deadline, and a preflight would name permissions as missing where only the token is refused.
 * Any other trouble may pass, and the stage's own calls will say.
 *
 * @param probes the stage begins a deployment, which an older GitLab is refused for
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
    `The clock of this machine is ${formatDuration(Math.abs(aheadMs))} ${words} GitLab's: times in the record and the age of evidence go by this machine.`,
  );
}

/** What begins is refused at an older one; what is begun is finished as well as it goes. */
function judgeVersion(version: string, { log, probes }: { log: Log; probes: boolean }): void {
  if (!isVersion(version)) {
    log.warn(`GitLab says that its version is "${version}", which is none that we know.`);
    return;
  }
  if (!isOlderThan(version, oldestGitLab)) return;
  const oldest = describeVersion(oldestGitLab);
  if (probes) throw gitlabTooOld({ version, oldest });
  log.warn(`GitLab is ${version}, and ${oldest} is the oldest that is supported.`);
}
