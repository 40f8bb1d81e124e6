import { runnerOf } from '../as-printed.ts';
import type { RunningProgram } from './child.ts';
import { describeEnd, SceneFailure, start, succeed, type Theatre } from './theatre.ts';

const failsEvery = 5;
const lookMs = 50;
/** Of one minute one fault counts: what is one cause fails several jobs at once. */
const minuteMs = 60_000;

/**
 * The candidate passes its canary and is promoted, and then its runner fails every fifth job: customers'
 * jobs tell, and the deployment takes itself back while the old shard still lives.
 */
export async function takeBack(theatre: Theatre): Promise<'taken_back'> {
  const { sandbox, stack, watch, screen, stream } = theatre;
  const { active, shards } = watch.now();
  const candidate = watch.looks
    .flatMap((look) => Object.keys(look.shards))
    .find((shard) => shard !== active);
  if (active === undefined || candidate === undefined)
    throw new SceneFailure(`only ${Object.keys(shards).join()} is known.`);
  const place = { runnerName: stack.runnerName, shard: candidate };
  sandbox.settings.change(place, { failsEvery });
  screen.say(`From now on a runner of ${candidate} fails every fifth job by its own fault.`);
  stream.rush();
  const deploying = start(theatre, ['deploy', ...runnerOf(theatre), ...watched]);
  const customers = tryAgain(theatre, deploying);
  const ended = await deploying.ended;
  const faults = await customers;
  theatre.program.signal.throwIfAborted();
  stream.flow('deployments');
  sandbox.settings.change(place, { failsEvery: 0 });
  if (ended.exitCode !== 1 || watch.now().active !== active)
    throw new SceneFailure(
      `the deployment of a bad runner ended with ${describeEnd(ended)}; ${watch.now().active} is active.`,
    );
  await succeed(theatre, ['finalize', ...runnerOf(theatre)]);
  if (watch.now().record?.phase !== 'done') throw new SceneFailure('the record is not done.');
  screen.say(`${faults} jobs that ${candidate} had failed were tried again; none was lost.`);
  return 'taken_back';
}

/** Longer than the scene: the verdict ends it. The same image again wants a reason. */
const watched = [
  '--set',
  'bake.for=10m',
  '--set',
  'bake.poll=500ms',
  '--again',
  'the machine had died, the image is good',
];

/**
 * Customers have `retry: {when: runner_system_failure}`: GitLab begins a job again that the runner has
 * failed. The world's clock goes on to the next minute after each of them, which is told beforehand.
 * @returns how many there were
 */
async function tryAgain(theatre: Theatre, { ended }: RunningProgram): Promise<number> {
  const { forge, stream, sandbox, program, playbill } = theatre;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void ended.then(end, end);
  let faults = 0;
  // Once more after the end: nobody's job is left where it failed.
  for (let last = false; !last; ) {
    last = isOver;
    const failed = new Set(
      forge.jobs().flatMap(({ id, failureReason }) => (failureReason === byRunner ? [id] : [])),
    );
    for (const job of stream.jobs.filter(({ forgeId }) => failed.has(forgeId))) {
      stream.again(job.number);
      faults += 1;
      playbill.moments.push({ at: program.clock.now(), text: `Job ${job.number} fails` });
      if (!last) sandbox.clock.advance(minuteMs);
    }
    if (!last) await program.clock.sleep(lookMs, program.signal).catch(end);
  }
  return faults;
}

const byRunner = 'runner_system_failure';
