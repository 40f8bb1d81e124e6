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
const lookMs = 50;
/** Of one minute one fault counts: what is one cause fails several jobs at once. */
const minuteMs = 60_000;

/**
 * The candidate passes its canary and is promoted, and then its runner fails every fifth job: customers'
 * jobs tell, and the deployment takes itself back while the old shard still lives.
 */
export async function rollBackBadCandidate(demo: DemoEnvironment): Promise<'taken_back'> {
  const { sandbox, stack, watch, screen, stream } = demo;
  const { active, record: before } = watch.now();
  const candidate = stack.shards.find((shard) => shard !== active);
  if (active === undefined || candidate === undefined)
    throw new ScenarioFailure('no shard is active.');
  const place = { runnerName: stack.runnerName, shard: candidate };
  sandbox.settings.change(place, { failsEvery });
  screen.say(`From now on a runner of ${candidate} fails every fifth job by its own fault.`);
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
  screen.say(`${failed} jobs that ${candidate} had failed were tried again; none was lost.`);
  return 'taken_back';
}

/** Longer than the scenario: the verdict ends it. */
const watched = ['--set', 'bake.for=30m', '--set', 'bake.poll=500ms'];

/**
 * Customers have `retry: {when: runner_system_failure}`: GitLab begins a job again that the runner has
 * failed. After a fault the world's clock goes on to the next minute, which is told beforehand. No customer's
 * job waits for a runner meanwhile: GitLab would report the minute as its wait.
 * @returns how many jobs that were, however often one of them has failed
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
  // Once more after the end: nobody's job is left where it failed.
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
    // A command has its limit by this clock: on a slow computer its host would be taken for silent.
    if (isMinuteDue && !last && !isAnyAsked(sandbox) && !isAnyWaiting(ciServer, stream)) {
      sandbox.clock.advance(minuteMs);
      stream.rush();
      isMinuteDue = false;
    }
    if (!last) await program.clock.sleep(lookMs, program.signal).catch(end);
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

function isAnyAsked({ fleet, commands }: Customers['sandbox']): boolean {
  return fleet.list().some(({ id }) => commands.areUnderWay(id));
}

/** A job that was offered to a runner waits until the runner has confirmed it. */
function isAnyWaiting(ciServer: Customers['ciServer'], { jobs }: Customers['stream']): boolean {
  const ours = new Set(jobs.map(({ ciJobId }) => ciJobId));
  return ciServer.jobs().some(({ id, status }) => ours.has(id) && status === 'pending');
}

const byRunner = 'runner_system_failure';
