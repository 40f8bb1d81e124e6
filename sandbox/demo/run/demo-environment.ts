import { shellArgument } from '../../../src/domain/text/shell-quoting.ts';
import type { Sandbox } from '../../sandbox.ts';
import { roundSeconds } from '../count/count.ts';
import { begunIn, type Interval, overlapMs } from '../count/history.ts';
import { type DeploymentRow, outcomeWords } from '../count/outcome.ts';
import { eventFile } from '../count/scenario-checks.ts';
import type { Watch } from '../count/watch.ts';
import type { DemoedProgram, Screen } from '../screen.ts';
import type { WatchedStack } from '../stack-reading.ts';
import { type EndedProgram, type RunningProgram, startProgram } from './child.ts';
import type { CiServer } from './ci-server.ts';
import type { Paces } from './paces.ts';
import type { JobStream } from './stream.ts';

/** Parts that a scenario works with. */
export interface DemoEnvironment {
  readonly program: DemoedProgram;
  readonly sandbox: Sandbox;
  readonly stack: WatchedStack;
  readonly ciServer: CiServer;
  readonly paces: Paces;
  readonly stream: JobStream;
  readonly watch: Watch;
  readonly screen: Screen;
  /** Environment of child processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly summary: Summary;
  /** Number of the group's first scenario among all groups. */
  readonly firstNumber: number;
}

/** Record of everything that was run. */
export interface Summary {
  readonly scenarios: Scenario[];
  readonly moments: DemoMoment[];
  readonly deployments: DeploymentOfScenario[];
  readonly failures: string[];
  /**
   * Times from the end of the only machine that accepted jobs until another shard accepted them.
   */
  readonly outages: Interval[];
}

export interface Scenario {
  readonly title: string;
  /** Number among all groups. Absent for a deployment that only prepares a scenario. */
  readonly number?: number;
  /** Whether the scenario breaks a part of the stack. */
  readonly isBroken?: boolean;
  readonly from: number;
  readonly to: number;
}

/** Instant event of a program. */
export interface DemoMoment {
  readonly at: number;
  readonly text: string;
}

export type DeploymentOfScenario = DeploymentRow & { readonly scenario: string };

/** Error of a failed scenario. The run ends with this reason. */
export class ScenarioFailure extends Error {
  override readonly name = 'ScenarioFailure';
}

/** Runs one deployment and adds it to the summary, also after a failure. */
export async function runDeployment(
  demo: DemoEnvironment,
  title: string,
  body: () => Promise<DeploymentRow['outcome']>,
  { isBroken = false }: { isBroken?: boolean } = {},
): Promise<void> {
  const { watch, summary } = demo;
  let outcome: DeploymentRow['outcome'] = 'failed';
  await runScenario(demo, { title, isBroken }, async () => {
    outcome = await body();
    return `${outcomeWords[outcome]}, ${watch.now().active} is active`;
  }).finally(() => {
    const { record: last } = watch.now();
    const scenario = summary.scenarios.at(-1);
    if (scenario === undefined) return;
    // The rollback is a separate deployment of the other shard.
    const record = outcome === 'taken_back' ? begunIn(watch.readings, scenario) : last;
    if (record === undefined) return;
    summary.deployments.push({
      scenario: title,
      id: record.id,
      candidate: record.candidate,
      outcome,
      seconds: roundSeconds(scenario.to - scenario.from),
      overlapSeconds: roundSeconds(overlapMs(watch.readings, scenario)),
    });
  });
}

/** @param body resolves to the scenario's result */
export async function runScenario(
  { screen, watch, summary, stream, firstNumber }: DemoEnvironment,
  { title, isBroken = false }: { title: string; isBroken?: boolean },
  body: () => Promise<string>,
): Promise<void> {
  const from = watch.now().at;
  const played = summary.scenarios.filter(({ number }) => number !== undefined).length;
  const number = firstNumber + played;
  screen.heading(`${number}. ${title}`);
  try {
    const result = await body();
    const seconds = roundSeconds(watch.now().at - from);
    const meanwhile = stream.jobs.filter(({ submittedAt }) => submittedAt >= from).length;
    screen.print(`✔ Result: ${result} (${seconds}s, ${meanwhile} jobs submitted meanwhile).`);
  } catch (error) {
    if (error instanceof ScenarioFailure) {
      summary.failures.push(`${title}: ${error.message}`);
      screen.print(`✖ Result: ${error.message}`);
    }
    throw error;
  } finally {
    summary.scenarios.push({ title, number, isBroken, from, to: watch.now().at });
  }
}

/** Starts the demonstrated program like its users do. */
export function start(demo: DemoEnvironment, words: readonly string[]): RunningProgram {
  const { program, screen, folder, summary } = demo;
  screen.print(`$ ${asTyped(words)}`);
  const environment = {
    ...demo.environment,
    HOSTED_RUNNER_EVIDENCE_FILE: eventFile(folder, summary.scenarios.length),
  };
  return startProgram({
    command: program.command,
    args: words,
    environment,
    folder,
    signal: program.signal,
    onLine: (line) => screen.relay(line),
  });
}

/** Formats a command for copying. */
export function asTyped(words: readonly string[]): string {
  return ['hosted-runner', ...words.map(shellArgument)].join(' ');
}

export async function run(demo: DemoEnvironment, words: readonly string[]): Promise<EndedProgram> {
  const ended = await start(demo, words).ended;
  demo.program.signal.throwIfAborted();
  return ended;
}

export async function succeed(
  demo: DemoEnvironment,
  words: readonly string[],
  runs: typeof run = run,
): Promise<EndedProgram> {
  const ended = await runs(demo, words);
  if (ended.exitCode === 0) return ended;
  throw new ScenarioFailure(`hosted-runner ${words.join(' ')} ended with ${describeEnd(ended)}.`);
}

/** Describes a program's end with the line that states the reason. */
export function describeEnd({ exitCode, lines }: EndedProgram): string {
  const how = exitCode === null ? 'a signal' : `exit code ${exitCode}`;
  const reason =
    lines.findLast((line) => /^(?:✖|✔|Nothing to do)/.test(line.trim())) ?? lines.at(-1);
  return reason === undefined ? how : `${how} (${reason.trim().replace(/\.$/, '')})`;
}

/** Runs a command that must begin a deployment. */
export async function runToBegin(
  demo: DemoEnvironment,
  words: readonly string[],
): Promise<EndedProgram> {
  const before = demo.watch.now().record?.id;
  const ended = await run(demo, words);
  requireBegun(demo, before, ended);
  return ended;
}

/** @throws ScenarioFailure if the record still names the previous deployment */
export function requireBegun(
  { watch }: Pick<DemoEnvironment, 'watch'>,
  before: string | undefined,
  ended: EndedProgram,
): void {
  const now = watch.now().record?.id;
  if (now === undefined || now === before)
    throw new ScenarioFailure(`no deployment began: the command ended with ${describeEnd(ended)}.`);
}

/**
 * Kills the program during this phase of the record.
 * @returns the program's end if it was faster, undefined if it was killed
 */
export async function killAt(
  demo: DemoEnvironment,
  { phase, afterMs }: { phase: string; afterMs: number },
  words: readonly string[],
): Promise<EndedProgram | undefined> {
  const { program, watch, screen, summary } = demo;
  const running = start(demo, words);
  const over = new AbortController();
  const until = AbortSignal.any([over.signal, program.signal]);
  const reached = watch
    .untilPhase(phase, until)
    .then(() => program.clock.sleep(afterMs, until))
    .then(() => running.kill())
    .catch(() => undefined);
  const ended = await running.ended;
  over.abort();
  await reached;
  program.signal.throwIfAborted();
  if (ended.exitCode !== null) {
    screen.print(`It finished before its kill in phase ${phase}: ${describeEnd(ended)}.`);
    return ended;
  }
  const { at, record } = watch.now();
  summary.moments.push({ at, text: `SIGKILL (${record?.phase ?? phase})` });
  screen.print(`✖ Killed with SIGKILL; the record is in phase ${record?.phase ?? phase}.`);
  return undefined;
}
