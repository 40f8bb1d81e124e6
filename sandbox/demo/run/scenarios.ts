import { runnerOf, typeAsPrinted } from '../as-printed.ts';
import { rollBackBadCandidate } from './auto-rollback.ts';
import {
  type DemoEnvironment,
  describeEnd,
  killAt,
  run,
  runDeployment,
  runScenario,
  runToBegin,
  ScenarioFailure,
  succeed,
} from './demo-environment.ts';
import { loseNewMachine } from './new-machine-dies.ts';
import { formatSeconds } from './paces.ts';

/** Consecutive scenarios on a separate stack. */
export interface ScenarioGroup {
  readonly firstNumber: number;
  /** Plays the scenarios. Ends early with a ScenarioFailure. */
  readonly play: (demo: DemoEnvironment) => Promise<void>;
}

export function chooseGroups({
  all,
  runners,
}: {
  readonly all: boolean;
  readonly runners: 'gitlab' | 'github';
}): readonly ScenarioGroup[] {
  const shown = [
    { scenarios: 3, play: replaceUnderJobs },
    { scenarios: 2, play: failAndRecover },
  ];
  const others = [
    { scenarios: 1, play: dieAndRunAgain },
    // These scenarios need GitLab: a GitHub runner is removed permanently instead of paused, and
    // GitHub does not report runner failures.
    ...(runners === 'gitlab'
      ? [
          { scenarios: 1, play: outliveNewMachine },
          { scenarios: 1, play: rejectBadRunner },
        ]
      : []),
  ];
  const groups = all ? [...shown, ...others] : shown;
  return groups.map(({ play }, at) => ({
    firstNumber: 1 + groups.slice(0, at).reduce((sum, { scenarios }) => sum + scenarios, 0),
    play,
  }));
}

const broken = { isBroken: true };

async function replaceUnderJobs(demo: DemoEnvironment): Promise<void> {
  await runDeployment(demo, 'First deployment', () => deployOnce(demo));
  await runScenario(demo, { title: 'Control: no deployment' }, () => controlRun(demo));
  demo.stream.flow('deployments');
  await runDeployment(demo, 'Second deployment', () => deployOnce(demo));
}

async function failAndRecover(demo: DemoEnvironment): Promise<void> {
  await prepare(demo);
  let printed: readonly string[] = [];
  const neverHealthy = async () => {
    printed = await deployBroken(demo);
    return 'unhealthy' as const;
  };
  await runDeployment(demo, 'Candidate never healthy', neverHealthy, broken);
  await runDeployment(demo, 'Recovery', () => recover(demo, printed), broken);
}

async function dieAndRunAgain(demo: DemoEnvironment): Promise<void> {
  await prepare(demo);
  await runDeployment(demo, 'Killed and run again', () => killAndRunAgain(demo));
}

async function outliveNewMachine(demo: DemoEnvironment): Promise<void> {
  await prepare(demo);
  await runDeployment(demo, 'New machine dies', () => loseNewMachine(demo), broken);
}

async function rejectBadRunner(demo: DemoEnvironment): Promise<void> {
  await prepare(demo);
  await runDeployment(demo, 'Fails every fifth job', () => rollBackBadCandidate(demo), broken);
}

/** Runs a first deployment to have an active shard. `--verbose` prints it. */
async function prepare(demo: DemoEnvironment): Promise<void> {
  const { watch, summary, screen, stream } = demo;
  const from = watch.now().at;
  const title = 'First deployment';
  const none = () => {};
  const shown = screen.isVerbose ? screen : { ...screen, heading: none, print: none, relay: none };
  shown.heading(`Before scenario ${demo.firstNumber}: ${title.toLowerCase()} of its stack`);
  try {
    await deployOnce({ ...demo, screen: shown });
  } catch (error) {
    if (error instanceof ScenarioFailure) summary.failures.push(`${title}: ${error.message}`);
    throw error;
  } finally {
    summary.scenarios.push({ title, from, to: watch.now().at });
  }
  stream.flow('deployments');
}

async function deployOnce(demo: DemoEnvironment): Promise<'done'> {
  await succeed(demo, ['deploy', ...runnerOf(demo)], runToBegin);
  return expectDone(demo);
}

/** Runs the same jobs on one shard without a deployment, to measure the usual wait. */
async function controlRun({ stream, screen, paces, program }: DemoEnvironment): Promise<string> {
  screen.print(`Only customer jobs for ${formatSeconds(paces.controlMs)}, to compare the waits.`);
  stream.flow('control');
  await program.clock.sleep(paces.controlMs, program.signal);
  return 'no deployment';
}

/** Deploys a candidate whose runner accepts the canary and fails it repeatedly. */
async function deployBroken(demo: DemoEnvironment): Promise<readonly string[]> {
  const { sandbox, stack, screen, watch } = demo;
  const { active } = watch.now();
  const shard = stack.shards.find((one) => one !== active);
  if (shard === undefined || active === undefined) throw new ScenarioFailure('no shard is active.');
  const { runnerName } = stack;
  sandbox.settings.change({ runnerName, shard }, { boot: 'contacts_but_fails_jobs' });
  screen.print(`From now on a host of ${shard} boots with a runner that fails every job.`);
  const ended = await runToBegin(demo, ['deploy', ...runnerOf(demo)]);
  if (ended.exitCode !== 1) {
    throw new ScenarioFailure(
      `the deployment of a broken candidate ended with ${describeEnd(ended)}.`,
    );
  }
  const now = watch.now();
  if (now.active !== active || !now.taking.includes(active)) {
    throw new ScenarioFailure(`${active} no longer accepts jobs.`);
  }
  screen.print(`${active} continued to accept jobs. The next commands are in the error.`);
  return ended.lines;
}

/**
 * Recovers from the failure. The broken machine is fixed right before the recovery rebuilds it.
 */
function recover(demo: DemoEnvironment, printed: readonly string[]): Promise<'done'> {
  return typeAsPrinted(demo, printed, ([verb]) => {
    if (verb === 'recover') fixHosts(demo);
  });
}

function fixHosts({ sandbox, stack, watch, screen }: DemoEnvironment): void {
  const shard = watch.now().record?.candidate;
  if (shard === undefined) return;
  sandbox.settings.change({ runnerName: stack.runnerName, shard }, { boot: 'ok' });
  screen.print(`Fixed: from now on, a new host of ${shard} runs jobs again.`);
}

/** Kills the program twice: between the tags and the switch, and at the start of a drain. */
async function killAndRunAgain(demo: DemoEnvironment): Promise<'done'> {
  const runner = runnerOf(demo);
  await succeed(demo, ['prepare', ...runner], runToBegin);
  const first = await killAt(demo, { phase: 'promoting', afterMs: 0 }, ['provision', ...runner]);
  if (first === undefined) await runAgain(demo, ['provision', ...runner]);
  demo.stream.shortOnly();
  const second = await killAt(demo, { phase: 'draining', afterMs: 800 }, ['finalize', ...runner]);
  if (second === undefined) await runAgain(demo, ['finalize', ...runner]);
  if (first !== undefined && second !== undefined)
    throw new ScenarioFailure(
      `neither stage was killed: provision ended with ${describeEnd(first)}, finalize with ${describeEnd(second)}.`,
    );
  return expectDone(demo);
}

/**
 * Runs the command again. If the old process cannot be proven dead (outside Linux), an operator
 * must confirm it.
 */
async function runAgain(demo: DemoEnvironment, words: readonly string[]): Promise<void> {
  const ended = await run(demo, words);
  if (ended.exitCode === 75) await succeed(demo, [...words, '--take-lock']);
  else if (ended.exitCode !== 0) {
    throw new ScenarioFailure(
      `hosted-runner ${words.join(' ')} run again ended with ${describeEnd(ended)}.`,
    );
  }
}

function expectDone({ watch }: DemoEnvironment): 'done' {
  const phase = watch.now().record?.phase;
  if (phase === 'done') return 'done';
  throw new ScenarioFailure(`the record is in phase ${phase ?? 'none'} and not done.`);
}
