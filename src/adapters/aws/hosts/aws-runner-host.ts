import type { HostSettings } from '../../../domain/settings.ts';
import type { Clock } from '../../../ports/clock.ts';
import { PortFailure } from '../../../ports/failure.ts';
import type { Log } from '../../../ports/log-event.ts';
import type { Random } from '../../../ports/random.ts';
import type { CheckLimit, RunnerHost } from '../../../ports/runner-host.ts';
import type { SlowResponseNotice } from '../../transport/slow-response-notice.ts';
import { oneLine } from '../line-text.ts';
import { hostCheckScript } from '../scripts/host-check-script.ts';
import { longestWaitSeconds } from '../scripts/idle-wait-script.ts';
import { killScript } from '../scripts/kill-script.ts';
import { probeScript } from '../scripts/probe-script.ts';
import { quitScript } from '../scripts/quit-script.ts';
import { reachScript } from '../scripts/reach-script.ts';
import { startScript } from '../scripts/start-script.ts';
import { longestShutdownSeconds } from '../scripts/termination-script.ts';
import { verifyScript } from '../scripts/verify-script.ts';
import type { Ssm } from '../services.ts';
import { judgeVerification, parseHostOutput } from './host-output.ts';
import { readReport } from './host-report.ts';
import { isHostId, listManagedHosts } from './hosts.ts';
import type { HostAnswer } from './invocation.ts';
import type { RunningOrders } from './order-list.ts';
import { judgeReachability } from './reachability.ts';
import { type CheckDocument, createRunCommand, type RunCommand } from './run-command.ts';
import { judgeQuit, judgeStart, judgeStop } from './stop-result.ts';
import { judgeWorkload } from './workload.ts';

export interface RunnerHostOptions {
  readonly ssm: Ssm;
  readonly settings: HostSettings;
  /** Image that the workload probe pulls and runs. */
  readonly workloadImage?: string | undefined;
  /** Document that runs the checks. Absent: AWS-RunShellScript. */
  readonly document?: CheckDocument | undefined;
  /** Orders of all stacks of this process. Absent: each order is read separately. */
  readonly running?: RunningOrders | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly redact: (text: string) => string;
  readonly slowNotice?: SlowResponseNotice | undefined;
  readonly log?: Pick<Log, 'event'> | undefined;
}

/** Creates the port that checks a shard's hosts by Run Command. */
export function createRunnerHost(options: RunnerHostOptions): RunnerHost {
  const { ssm } = options;
  const commands = createRunCommand(options);
  const run: RunCommand['run'] = async (order) =>
    commands.run({ ...order, hostId: checked(order.hostId) });
  const hosts = { ...options, run };
  return {
    list: (shard) => listManagedHosts(ssm, shard),
    look: (hostId, limit) => checkHost(hosts, { hostId, ...limit }),
    quit: (hostId) => quit(hosts, hostId),
    start: (hostId) => start(hosts, hostId),
    kill: (hostId) => kill(hosts, hostId),
    probeWorkload: (hostId) => probeWorkload(hosts, hostId),
    reach: (hostId, targets) => reach(hosts, hostId, targets),
    verifyToken: (hostId) => verifyToken(hosts, hostId),
  };
}

type Hosts = RunnerHostOptions & Pick<RunCommand, 'run'>;

async function checkHost(
  { settings, redact, clock, run }: Hosts,
  { hostId, withinMs, untilIdleMs = 0 }: { hostId: string } & CheckLimit,
): ReturnType<RunnerHost['look']> {
  const from = clock.now();
  const waitSeconds = Math.min(longestWaitSeconds, Math.floor(untilIdleMs / 1000));
  const answer = await run({
    hostId,
    script: hostCheckScript(settings, waitSeconds),
    check: { name: 'look', waitSeconds },
    comment: 'hosted-runner: check the runner',
    executionSeconds: 60 + waitSeconds,
    ...(withinMs === undefined ? {} : { withinMs }),
    effect: 'read',
  });
  if (answer.kind !== 'ended') return { kind: 'silent', reason: answer.reason };
  const output = parseHostOutput(answer.output);
  if ((output.first('jobs_code') ?? output.first('workers_code')) === undefined) {
    return {
      kind: 'silent',
      reason: `the check of the host ended early: ${readLastLines(answer, redact)}`,
    };
  }
  return readReport(output, redact, { from, to: clock.now() });
}

async function quit(
  { settings, redact, run }: Hosts,
  hostId: string,
): ReturnType<RunnerHost['quit']> {
  const answer = await run({
    hostId,
    script: quitScript(settings),
    comment: 'hosted-runner: disable the restart, end the idle runner',
    executionSeconds: 90,
    effect: 'write',
  });
  return judgeQuit(reached(answer, { what: 'quit', hostId }), redact);
}

async function start(
  { settings, redact, run }: Hosts,
  hostId: string,
): ReturnType<RunnerHost['start']> {
  const answer = await run({
    hostId,
    script: startScript(settings),
    comment: 'hosted-runner: enable the restart, start the runner',
    executionSeconds: 150,
    effect: 'write',
  });
  return judgeStart(reached(answer, { what: 'start', hostId }), redact);
}

async function kill({ settings, redact, run }: Hosts, hostId: string): Promise<void> {
  const answer = await run({
    hostId,
    script: killScript(settings),
    comment: 'hosted-runner: disable the restart, send SIGTERM',
    // The script waits for the runner's shutdown_timeout, plus the time for its own calls.
    executionSeconds: longestShutdownSeconds + 300,
    effect: 'write',
  });
  const verdict = judgeStop(reached(answer, { what: 'SIGTERM', hostId }), redact);
  if (verdict.kind !== 'refused') return;
  throw refusal({ what: 'SIGTERM', hostId, detail: verdict.reason });
}

async function probeWorkload(
  { settings, random, redact, workloadImage, run }: Hosts,
  hostId: string,
): ReturnType<RunnerHost['probeWorkload']> {
  const id = random.id();
  const answer = await run({
    hostId,
    script: probeScript(settings, { id, image: workloadImage }),
    check: { name: 'probe', id },
    comment: 'hosted-runner: health-check volume and container',
    executionSeconds: 240,
    effect: 'write',
  });
  if (answer.kind === 'lost') return { kind: 'failed', reason: answer.reason };
  const verdict = judgeWorkload(
    parseHostOutput(reached(answer, { what: 'probe', hostId })),
    redact,
  );
  if (verdict.kind !== 'impossible') return verdict;
  throw refusal({ what: 'probe', hostId, detail: verdict.reason });
}

async function reach(
  { run }: Hosts,
  hostId: string,
  targets: readonly string[],
): ReturnType<RunnerHost['reach']> {
  const answer = await run({
    hostId,
    script: reachScript(targets),
    check: { name: 'reach' },
    comment: 'hosted-runner: check reachability',
    executionSeconds: 30,
    effect: 'read',
  });
  const output = parseHostOutput(reached(answer, { what: 'reach', hostId }));
  if (output.complete) return judgeReachability(output, targets);
  throw refusal({
    what: 'reach',
    hostId,
    detail: 'the check of the host ended early',
  });
}

async function verifyToken(
  { settings, redact, run }: Hosts,
  hostId: string,
): ReturnType<RunnerHost['verifyToken']> {
  if (settings.process.kind === 'actions_runner') {
    return { kind: 'unknown', detail: "GitHub's runner has no command for this check" };
  }
  const answer = await run({
    hostId,
    script: verifyScript(settings),
    check: { name: 'verify' },
    comment: 'hosted-runner: gitlab-runner verify',
    executionSeconds: 60,
    effect: 'read',
  });
  if (answer.kind !== 'ended') return { kind: 'unknown', detail: answer.reason };
  return judgeVerification(parseHostOutput(answer.output), redact);
}

interface Act {
  readonly what: string;
  readonly hostId: string;
}

/**
 * Returns the output of a script with an effect. The rejection states whether the effect may have
 * happened.
 */
function reached(answer: HostAnswer, { what, hostId }: Act): string {
  if (answer.kind === 'ended') return answer.output;
  throw new PortFailure({
    kind: 'unreachable',
    effect: answer.kind === 'lost' ? 'unknown' : 'none',
    source: `Run Command ${what} ${hostId}`,
    detail: answer.reason,
  });
}

function refusal({ what, hostId, detail }: Act & { detail: string }): Error {
  const source = `Run Command ${what} ${hostId}`;
  return new PortFailure({ kind: 'refused', effect: 'none', source, detail });
}

function readLastLines(
  { exitCode, errors }: Extract<HostAnswer, { kind: 'ended' }>,
  redact: (text: string) => string,
): string {
  const last = errors.trim().split('\n').at(-1) ?? '';
  return last === ''
    ? `exit code ${exitCode}`
    : `exit code ${exitCode}, "${oneLine(redact(last))}"`;
}

function checked(hostId: string): string {
  if (isHostId(hostId)) return hostId;
  throw refusal({
    what: 'any script',
    hostId: JSON.stringify(hostId.slice(0, 40)),
    detail: 'this is not an instance id',
  });
}
