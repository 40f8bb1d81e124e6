import type { Sandbox } from '../../sandbox.ts';
import { runnerOf } from '../as-printed.ts';
import type { DemoedProgram } from '../screen.ts';
import type { RunningProgram } from './child.ts';
import type { CiServer } from './ci-server.ts';
import {
  type DemoEnvironment,
  type DemoMoment,
  describeEnd,
  requireBegun,
  ScenarioFailure,
  start,
  succeed,
} from './demo-environment.ts';
import type { JobStream } from './stream.ts';

const failsEvery = 5;
const pollMs = 50;
/** One minute counts as one failure: a single cause fails several jobs at once. */
const minuteMs = 60_000;

/**
 * Plays a candidate that passes its canary, is promoted, and then fails every fifth job. The bake
 * detects it from customer jobs, and rolls back while the old shard still exists.
 */
export async function rollBackBadCandidate(demo: DemoEnvironment): Promise<'taken_back'> {
  const { sandbox, stack, watch, screen, stream } = demo;
  const { active, record: before } = watch.now();
  const candidate = stack.shards.find((shard) => shard !== active);
  if (active === undefined || candidate === undefined)
    throw new ScenarioFailure('no shard is active.');
  const place = { runnerName: stack.runnerName, shard: candidate };
  sandbox.settings.change(place, { failsEvery });
  screen.print(
    `From now on, a runner of ${candidate} fails every fifth job with a runner system failure.`,
  );
  stream.rush();
  const deploying = start(demo, ['deploy', ...runnerOf(demo), ...watched]);
  const customers = tryAgain(demo, deploying);
  const ended = await deploying.ended;
  const failed = await customers;
  demo.program.signal.throwIfAborted();
  stream.flow('deployments');
  sandbox.settings.change(place, { failsEvery: 0 });
  requireBegun(demo, before?.id, ended);
  if (ended.exitCode !== 1 || watch.now().active !== active)
    throw new ScenarioFailure(
      `the deployment of a bad runner ended with ${describeEnd(ended)}; ${watch.now().active} is active.`,
    );
  await succeed(demo, ['finalize', ...runnerOf(demo)]);
  if (watch.now().record?.phase !== 'done') throw new ScenarioFailure('the record is not done.');
  screen.print(`${failed} jobs that ${candidate} had failed were retried; none was lost.`);
  return 'taken_back';
}

/** The bake is longer than the scenario: its verdict ends it. */
const watched = ['--set', 'bake.for=30m', '--set', 'bake.poll=500ms'];

/**
 * Repeats jobs that the runner failed, as GitLab does for customers with `retry: {when:
 * runner_system_failure}`. After a failure, the sandbox's clock moves to the next minute. It moves
 * only while no customer job waits, because GitLab would add the minute to the wait.
 * @returns the number of failed jobs, each counted once
 */
async function tryAgain(
  { ciServer, stream, sandbox, program, summary }: Customers,
  { ended }: Pick<RunningProgram, 'ended'>,
): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  ended.then(end, end);
  const failedJobs = new Set<number>();
  let isMinuteDue = false;
  // One more round follows the end, so every failed job is repeated.
  for (let last = false; !last; ) {
    last = isOver;
    const failed = new Set(
      ciServer.jobs().flatMap(({ id, failureReason }) => (failureReason === byRunner ? [id] : [])),
    );
    for (const job of stream.jobs.filter(({ ciJobId }) => failed.has(ciJobId))) {
      stream.pause();
      stream.again(job.number);
      failedJobs.add(job.number);
      summary.moments.push({ at: program.clock.now(), text: `Job ${job.number} fails` });
      isMinuteDue = true;
    }
    // Limits of commands use this clock. During a command, the host would seem unresponsive on a
    // slow computer.
    if (isMinuteDue && !last && !isAnyQueried(sandbox) && !isAnyWaiting(ciServer, stream)) {
      sandbox.clock.advance(minuteMs);
      stream.rush();
      isMinuteDue = false;
    }
    if (!last) await program.clock.sleep(pollMs, program.signal).catch(end);
  }
  return failedJobs.size;
}

export interface Customers {
  readonly ciServer: Pick<CiServer, 'jobs'>;
  readonly stream: Pick<JobStream, 'jobs' | 'again' | 'pause' | 'rush'>;
  readonly sandbox: {
    readonly clock: Pick<Sandbox['clock'], 'advance'>;
    readonly fleet: { list(): readonly { readonly id: string }[] };
    readonly commands: Pick<Sandbox['commands'], 'areUnderWay'>;
  };
  readonly program: Pick<DemoedProgram, 'clock' | 'signal'>;
  readonly summary: { readonly moments: DemoMoment[] };
}

function isAnyQueried({ fleet, commands }: Customers['sandbox']): boolean {
  return fleet.list().some(({ id }) => commands.areUnderWay(id));
}

/** Detects waiting jobs. An assigned job waits until its runner confirms it. */
function isAnyWaiting(ciServer: Customers['ciServer'], { jobs }: Customers['stream']): boolean {
  const ownIds = new Set(jobs.map(({ ciJobId }) => ciJobId));
  return ciServer.jobs().some(({ id, status }) => ownIds.has(id) && status === 'pending');
}

const byRunner = 'runner_system_failure';
