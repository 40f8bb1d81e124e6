import { shellWord } from '../../../src/domain/text/shell-word.ts';
import type { Sandbox } from '../../sandbox.ts';
import { roundSeconds } from '../count/count.ts';
import { begunIn, type Interval, overlapMs } from '../count/history.ts';
import { eventFile } from '../count/judged.ts';
import { type DeploymentRow, outcomeWords } from '../count/outcome.ts';
import type { Watch } from '../count/watch.ts';
import type { WatchedStack } from '../look.ts';
import type { DemoedProgram, Screen } from '../screen.ts';
import { type EndedProgram, type RunningProgram, startProgram } from './child.ts';
import type { Forge } from './forge.ts';
import type { Paces } from './paces.ts';
import type { JobStream } from './stream.ts';

/** Everything that a scene is played with. */
export interface Theatre {
  readonly program: DemoedProgram;
  readonly sandbox: Sandbox;
  readonly stack: WatchedStack;
  readonly forge: Forge;
  readonly paces: Paces;
  readonly stream: JobStream;
  readonly watch: Watch;
  readonly screen: Screen;
  /** Of the children. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly playbill: Playbill;
  /** Of the act's first scene, among the scenes of all acts. */
  readonly firstNumber: number;
}

/** What was played. */
export interface Playbill {
  readonly scenes: Scene[];
  readonly moments: Moment[];
  readonly deployments: PlayedDeployment[];
  readonly failures: string[];
  /** From the end of the only machine that took jobs until another shard took them again. */
  readonly outages: Interval[];
}

export interface Scene {
  readonly title: string;
  /** Among the scenes of all acts; none if it only prepares one. */
  readonly number?: number;
  /** Whether something of the stack's own is broken in it. */
  readonly isBroken?: boolean;
  readonly from: number;
  readonly to: number;
}

/** Something that happened to a program at once. */
export interface Moment {
  readonly at: number;
  readonly text: string;
}

export type PlayedDeployment = DeploymentRow & { readonly scene: string };

/** A scene did not go as it must; the play ends there and says so. */
export class SceneFailure extends Error {
  override readonly name = 'SceneFailure';
}

/** Plays one deployment; whatever becomes of it, it is on the playbill. */
export async function playDeployment(
  theatre: Theatre,
  title: string,
  body: () => Promise<DeploymentRow['outcome']>,
  { isBroken = false }: { isBroken?: boolean } = {},
): Promise<void> {
  const { watch, playbill } = theatre;
  let outcome: DeploymentRow['outcome'] = 'failed';
  await playScene(theatre, { title, isBroken }, async () => {
    outcome = await body();
    return `${outcomeWords[outcome]}, ${watch.now().active} is active`;
  }).finally(() => {
    const { record: last } = watch.now();
    const scene = playbill.scenes.at(-1);
    if (scene === undefined) return;
    // The rollback is a deployment of its own, of the other shard.
    const record = outcome === 'taken_back' ? begunIn(watch.looks, scene) : last;
    if (record === undefined) return;
    playbill.deployments.push({
      scene: title,
      id: record.id,
      candidate: record.candidate,
      outcome,
      seconds: roundSeconds(scene.to - scene.from),
      overlapSeconds: roundSeconds(overlapMs(watch.looks, scene)),
    });
  });
}

/** @param body resolves to what came of it */
export async function playScene(
  { screen, watch, playbill, stream, firstNumber }: Theatre,
  { title, isBroken = false }: { title: string; isBroken?: boolean },
  body: () => Promise<string>,
): Promise<void> {
  const from = watch.now().at;
  const played = playbill.scenes.filter(({ number }) => number !== undefined).length;
  const number = firstNumber + played;
  screen.heading(`${number}. ${title}`);
  try {
    const result = await body();
    const seconds = roundSeconds(watch.now().at - from);
    const meanwhile = stream.jobs.filter(({ submittedAt }) => submittedAt >= from).length;
    screen.say(`✔ Result: ${result} (${seconds}s, ${meanwhile} jobs submitted meanwhile).`);
  } catch (error) {
    if (error instanceof SceneFailure) {
      playbill.failures.push(`${title}: ${error.message}`);
      screen.say(`✖ Result: ${error.message}`);
    }
    throw error;
  } finally {
    playbill.scenes.push({ title, number, isBroken, from, to: watch.now().at });
  }
}

/** Runs the very program that is demonstrated, as its users do. */
export function start(theatre: Theatre, words: readonly string[]): RunningProgram {
  const { program, screen, folder, playbill } = theatre;
  screen.say(`$ ${asTyped(words)}`);
  const environment = {
    ...theatre.environment,
    HOSTED_RUNNER_EVIDENCE_FILE: eventFile(folder, playbill.scenes.length),
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

/** As a reader may paste it. */
export function asTyped(words: readonly string[]): string {
  return ['hosted-runner', ...words.map(shellWord)].join(' ');
}

export async function run(theatre: Theatre, words: readonly string[]): Promise<EndedProgram> {
  const ended = await start(theatre, words).ended;
  theatre.program.signal.throwIfAborted();
  return ended;
}

export async function succeed(
  theatre: Theatre,
  words: readonly string[],
  runs: typeof run = run,
): Promise<EndedProgram> {
  const ended = await runs(theatre, words);
  if (ended.exitCode === 0) return ended;
  throw new SceneFailure(`hosted-runner ${words.join(' ')} ended with ${describeEnd(ended)}.`);
}

/** How a program ended, with the line that says why. */
export function describeEnd({ exitCode, lines }: EndedProgram): string {
  const how = exitCode === null ? 'a signal' : `exit code ${exitCode}`;
  const said = lines.findLast((line) => /^(?:✖|✔|Nothing to do)/.test(line.trim())) ?? lines.at(-1);
  return said === undefined ? how : `${how} (${said.trim().replace(/\.$/, '')})`;
}

/** Runs a command that has to begin a deployment. */
export async function runToBegin(
  theatre: Theatre,
  words: readonly string[],
): Promise<EndedProgram> {
  const before = theatre.watch.now().record?.id;
  const ended = await run(theatre, words);
  requireBegun(theatre, before, ended);
  return ended;
}

/** @throws SceneFailure the record still names the deployment of before */
export function requireBegun(
  { watch }: Pick<Theatre, 'watch'>,
  before: string | undefined,
  ended: EndedProgram,
): void {
  const now = watch.now().record?.id;
  if (now === undefined || now === before)
    throw new SceneFailure(`no deployment began: the command ended with ${describeEnd(ended)}.`);
}

/**
 * Kills the program in the midst of this phase of the record.
 * @returns how the program ended if it was faster; undefined if it was killed
 */
export async function killAt(
  theatre: Theatre,
  { phase, afterMs }: { phase: string; afterMs: number },
  words: readonly string[],
): Promise<EndedProgram | undefined> {
  const { program, watch, screen, playbill } = theatre;
  const running = start(theatre, words);
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
    screen.say(`It was faster than its kill in phase ${phase}: ${describeEnd(ended)}.`);
    return ended;
  }
  const { at, record } = watch.now();
  playbill.moments.push({ at, text: `SIGKILL (${record?.phase ?? phase})` });
  screen.say(`✖ Killed with SIGKILL; the record is in phase ${record?.phase ?? phase}.`);
  return undefined;
}
