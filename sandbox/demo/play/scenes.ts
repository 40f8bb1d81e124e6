import { runnerOf, typeAsPrinted } from '../as-printed.ts';
import { loseNewMachine } from './new-machine-dies.ts';
import { formatSeconds } from './paces.ts';
import { takeBack } from './taken-back.ts';
import {
  describeEnd,
  killAt,
  playDeployment,
  playScene,
  run,
  runToBegin,
  SceneFailure,
  succeed,
  type Theatre,
} from './theatre.ts';

/** The whole play, scene by scene; ends early with a SceneFailure. */
export async function playAll(theatre: Theatre): Promise<void> {
  const { stream, watch, stack } = theatre;
  await playDeployment(theatre, 'First deployment', () => deployOnce(theatre));
  await playScene(theatre, { title: 'Control: no deployment' }, () => controlRun(theatre));
  stream.flow('deployments');
  await playDeployment(theatre, 'Second deployment', () => deployOnce(theatre));
  let printed: readonly string[] = [];
  const broken = { isBroken: true };
  const neverHealthy = async () => {
    printed = await deployBroken(theatre);
    return 'unhealthy' as const;
  };
  await playDeployment(theatre, 'Candidate never healthy', neverHealthy, broken);
  await playDeployment(theatre, 'Recovery', () => recover(theatre, printed), broken);
  await playDeployment(theatre, 'Killed and run again', () => killAndRunAgain(theatre));
  // A runner of GitHub is removed for good where one of GitLab is paused, and nobody knows whose fault it was.
  if (stack.runners === 'gitlab') {
    await playDeployment(theatre, 'New machine dies', () => loseNewMachine(theatre), broken);
    await playDeployment(theatre, 'Fails every fifth job', () => takeBack(theatre), broken);
  }
  await stream.stop();
  if (watch.now().record?.phase !== 'done') throw new SceneFailure('the record is not done');
}

async function deployOnce(theatre: Theatre): Promise<'done'> {
  await succeed(theatre, ['deploy', ...runnerOf(theatre)], runToBegin);
  return expectDone(theatre);
}

/** The same jobs on one shard, without a deployment: what a customer waits anyway. */
async function controlRun({ stream, screen, paces, program }: Theatre): Promise<void> {
  screen.say(`Only customers' jobs for ${formatSeconds(paces.controlMs)}, to compare the waits.`);
  stream.flow('control');
  await program.clock.sleep(paces.controlMs, program.signal);
}

/** The candidate's runner takes the canary and fails it, again and again. */
async function deployBroken(theatre: Theatre): Promise<readonly string[]> {
  const { sandbox, stack, screen, watch } = theatre;
  const { active } = watch.now();
  const shard = watch.looks
    .flatMap((look) => Object.keys(look.shards))
    .find((one) => one !== active);
  if (shard === undefined || active === undefined)
    throw new SceneFailure('there is no other shard.');
  const { runnerName } = stack;
  sandbox.settings.change({ runnerName, shard }, { boot: 'contacts_but_fails_jobs' });
  screen.say(`From now on a host of ${shard} boots with a runner that fails every job.`);
  const ended = await runToBegin(theatre, ['deploy', ...runnerOf(theatre)]);
  if (ended.exitCode !== 1) {
    throw new SceneFailure(
      `the deployment of a broken candidate ended with ${describeEnd(ended)}.`,
    );
  }
  const now = watch.now();
  if (now.active !== active || !now.taking.includes(active)) {
    throw new SceneFailure(`${active} does not serve any more.`);
  }
  screen.say(`${active} went on serving. The next commands are in the error.`);
  return ended.lines;
}

/** The broken machine is mended where a recovery is about to build it anew. */
function recover(theatre: Theatre, printed: readonly string[]): Promise<'done'> {
  return typeAsPrinted(theatre, printed, ([verb]) => {
    if (verb === 'recover') mend(theatre);
  });
}

function mend({ sandbox, stack, watch, screen }: Theatre): void {
  const shard = watch.now().record?.candidate;
  if (shard === undefined) return;
  sandbox.settings.change({ runnerName: stack.runnerName, shard }, { boot: 'ok' });
  screen.say(`Mended: a host of ${shard} that boots from now on runs jobs again.`);
}

/** Twice, at the worst moments: the tags are given and the status not switched; a drain has begun. */
async function killAndRunAgain(theatre: Theatre): Promise<'done'> {
  const runner = runnerOf(theatre);
  await succeed(theatre, ['prepare', ...runner], runToBegin);
  const first = await killAt(theatre, { phase: 'promoting', afterMs: 0 }, ['provision', ...runner]);
  if (first === undefined) await runAgain(theatre, ['provision', ...runner]);
  theatre.stream.shortOnly();
  const second = await killAt(theatre, { phase: 'draining', afterMs: 800 }, [
    'finalize',
    ...runner,
  ]);
  if (second === undefined) await runAgain(theatre, ['finalize', ...runner]);
  if (first !== undefined && second !== undefined)
    throw new SceneFailure(
      `neither stage was killed: provision ended with ${describeEnd(first)}, finalize with ${describeEnd(second)}.`,
    );
  return expectDone(theatre);
}

/** Where a process cannot be proven dead (outside of Linux), a person has to say so. */
async function runAgain(theatre: Theatre, words: readonly string[]): Promise<void> {
  const ended = await run(theatre, words);
  if (ended.exitCode === 75) await succeed(theatre, [...words, '--take-lock']);
  else if (ended.exitCode !== 0) {
    throw new SceneFailure(
      `hosted-runner ${words.join(' ')} run again ended with ${describeEnd(ended)}.`,
    );
  }
}

function expectDone({ watch }: Theatre): 'done' {
  const phase = watch.now().record?.phase;
  if (phase === 'done') return 'done';
  throw new SceneFailure(`the record is in phase ${phase ?? 'none'} and not done.`);
}
