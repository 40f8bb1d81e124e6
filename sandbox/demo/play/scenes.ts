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

/** Scenes that follow from each other, on a stack of their own. */
export interface Act {
  readonly firstNumber: number;
  /** Ends early with a SceneFailure. */
  readonly play: (theatre: Theatre) => Promise<void>;
}

export function chooseActs({
  all,
  runners,
}: {
  readonly all: boolean;
  readonly runners: 'gitlab' | 'github';
}): readonly Act[] {
  const shown = [
    { scenes: 3, play: replaceUnderJobs },
    { scenes: 2, play: failAndRecover },
  ];
  const others = [
    { scenes: 1, play: dieAndRunAgain },
    // A runner of GitHub is removed for good where one of GitLab is paused, and nobody knows whose fault it was.
    ...(runners === 'gitlab'
      ? [
          { scenes: 1, play: outliveNewMachine },
          { scenes: 1, play: rejectBadRunner },
        ]
      : []),
  ];
  const acts = all ? [...shown, ...others] : shown;
  return acts.map(({ play }, at) => ({
    firstNumber: 1 + acts.slice(0, at).reduce((sum, { scenes }) => sum + scenes, 0),
    play,
  }));
}

const broken = { isBroken: true };

async function replaceUnderJobs(theatre: Theatre): Promise<void> {
  await playDeployment(theatre, 'First deployment', () => deployOnce(theatre));
  await playScene(theatre, { title: 'Control: no deployment' }, () => controlRun(theatre));
  theatre.stream.flow('deployments');
  await playDeployment(theatre, 'Second deployment', () => deployOnce(theatre));
}

async function failAndRecover(theatre: Theatre): Promise<void> {
  await prepare(theatre);
  let printed: readonly string[] = [];
  const neverHealthy = async () => {
    printed = await deployBroken(theatre);
    return 'unhealthy' as const;
  };
  await playDeployment(theatre, 'Candidate never healthy', neverHealthy, broken);
  await playDeployment(theatre, 'Recovery', () => recover(theatre, printed), broken);
}

async function dieAndRunAgain(theatre: Theatre): Promise<void> {
  await prepare(theatre);
  await playDeployment(theatre, 'Killed and run again', () => killAndRunAgain(theatre));
}

async function outliveNewMachine(theatre: Theatre): Promise<void> {
  await prepare(theatre);
  await playDeployment(theatre, 'New machine dies', () => loseNewMachine(theatre), broken);
}

async function rejectBadRunner(theatre: Theatre): Promise<void> {
  await prepare(theatre);
  await playDeployment(theatre, 'Fails every fifth job', () => takeBack(theatre), broken);
}

/** A first deployment as in the first scene, so that there is an active shard; `--verbose` prints it. */
async function prepare(theatre: Theatre): Promise<void> {
  const { watch, playbill, screen, stream } = theatre;
  const from = watch.now().at;
  const title = 'First deployment';
  const none = () => {};
  const shown = screen.isVerbose ? screen : { ...screen, heading: none, say: none, relay: none };
  shown.heading(`Before scene ${theatre.firstNumber}: ${title.toLowerCase()} of its stack`);
  try {
    await deployOnce({ ...theatre, screen: shown });
  } catch (error) {
    if (error instanceof SceneFailure) playbill.failures.push(`${title}: ${error.message}`);
    throw error;
  } finally {
    playbill.scenes.push({ title, from, to: watch.now().at });
  }
  stream.flow('deployments');
}

async function deployOnce(theatre: Theatre): Promise<'done'> {
  await succeed(theatre, ['deploy', ...runnerOf(theatre)], runToBegin);
  return expectDone(theatre);
}

/** The same jobs on one shard, without a deployment: what a customer waits anyway. */
async function controlRun({ stream, screen, paces, program }: Theatre): Promise<string> {
  screen.say(`Only customers' jobs for ${formatSeconds(paces.controlMs)}, to compare the waits.`);
  stream.flow('control');
  await program.clock.sleep(paces.controlMs, program.signal);
  return 'no deployment';
}

/** The candidate's runner takes the canary and fails it, again and again. */
async function deployBroken(theatre: Theatre): Promise<readonly string[]> {
  const { sandbox, stack, screen, watch } = theatre;
  const { active } = watch.now();
  const shard = stack.shards.find((one) => one !== active);
  if (shard === undefined || active === undefined) throw new SceneFailure('no shard is active.');
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
