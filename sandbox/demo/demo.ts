import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CommandExit, DemoOptions } from '../../src/cli/handler-types.ts';
import { inShell } from '../../src/domain/text/shell-quoting.ts';
import { badUsage } from '../../src/errors/input-errors.ts';
import { demoFolderUnusable } from '../../src/errors/sandbox-errors.ts';
import { systemReason } from '../../src/errors/system-reason.ts';
import { NEWEST_GITLAB } from '../gitlab/answers/versions.ts';
import { resultJson } from './count/result.ts';
import { renderReport } from './report/page.ts';
import { measureFactor, watchMachine } from './run/machine.ts';
import { choosePaces, describeShortened, formatTempo, shortenedWindows } from './run/paces.ts';
import { runGroup } from './run/run-group.ts';
import { chooseGroups } from './run/scenarios.ts';
import { createScreen, type DemoedProgram, type Screen } from './screen.ts';
import { allIsWell, problemsOf, type Run, summarize } from './story.ts';
import { runGroups } from './turns.ts';

/** Default file names. They differ, or the numbers would overwrite the report. */
const usualFiles = { '--report': 'report.html', '--json': 'demo.json' } as const;

/**
 * Runs whole deployments in separate sandboxes and counts their effects from outside. Only the
 * report remains.
 */
export async function runDemo({
  program,
  ...options
}: DemoOptions & { program: DemoedProgram }): Promise<CommandExit> {
  const report = options.report ?? usualFiles['--report'];
  await refuseUnwritable('--report', report);
  if (options.json !== undefined) await refuseUnwritable('--json', options.json);
  const screen = createScreen(program, options);
  const folder = await mkdtemp(join(tmpdir(), 'hosted-runner-demo-')).catch((error: unknown) => {
    throw demoFolderUnusable({ folder: tmpdir(), reason: systemReason(error) });
  });
  try {
    const run = await play({ program, screen, folder, options });
    await write(program, report, renderReport(run));
    if (options.json !== undefined) await write(program, options.json, resultJson(run));
    const problems = problemsOf(run);
    conclude(screen, { run, problems, report });
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (!program.signal.aborted) throw error;
    screen.print('Interrupted: everything was stopped, and nothing was left behind.');
    return 130;
  } finally {
    screen.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function play({
  program,
  screen,
  folder,
  options,
}: {
  program: DemoedProgram;
  screen: Screen;
  folder: string;
  options: DemoOptions;
}): Promise<Run> {
  const { speed, runners, all = false, gitlabVersion = NEWEST_GITLAB } = options;
  const factor = await measureFactor(program, folder);
  const paces = choosePaces({ speed, factor }, runners);
  const windows = shortenedWindows(paces);
  screen.print(
    'Complete deployments in a sandbox on this computer. Each stack runs a stream of customer jobs.',
  );
  screen.print(formatTempo({ speed, factor, all }));
  if (runners === 'gitlab')
    screen.print(`The simulated GitLab behaves like version ${gitlabVersion}.`);
  screen.print(describeShortened(windows));
  const machine = watchMachine(program, folder);
  const stories = await runGroups(
    chooseGroups({ all, runners }),
    (group, turn, signal) =>
      runGroup({
        program: { ...program, signal: AbortSignal.any([program.signal, signal]) },
        screen: turn,
        paces,
        folder: join(folder, `stack-${group.firstNumber}`),
        group,
        runners,
        gitlabVersion,
      }),
    screen,
  ).finally(() => machine.stop());
  return { stories, windows, factor, slowness: await machine.stop() };
}

function conclude(
  screen: Screen,
  { run, problems, report }: { run: Run; problems: readonly string[]; report: string },
): void {
  screen.heading('Summary');
  for (const { of, text } of summarize(run)) screen.printLabelled(of, text);
  screen.printLabelled('Report', report);
  const { factor, slowness } = run;
  const slowest = Math.max(factor, ...slowness.starts.map((start) => start.factor));
  if (slowest > factor)
    screen.print(
      `This computer was up to ${slowest} times slower than usual; then a job is late if it waited more than ${slowest}s longer.`,
    );
  for (const problem of problems) screen.print(`✖ ${problem}`);
  if (problems.length === 0) screen.print(allIsWell);
}

/** Checks that each result can be written, before the demo spends minutes. */
export async function refuseUnwritable(
  option: '--report' | '--json',
  path: string,
  current: string = resolve('.'),
): Promise<void> {
  const folder = dirname(resolve(path));
  // If the current folder is not writable, its default file is not either.
  const usual = folder === current ? join(tmpdir(), usualFiles[option]) : usualFiles[option];
  const refuse = (why: string) =>
    badUsage({
      what: `${option} "${path}" cannot be written.`,
      why,
      fix: [inShell`hosted-runner demo ${option} ${usual}`],
    });
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory() === true) throw refuse(`${resolve(path)} is a directory, not a file.`);
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw refuse(`${folder} is not a directory that this user can write to.`);
  }
}

async function write(
  { folder, redactor }: DemoedProgram,
  path: string,
  text: string,
): Promise<void> {
  await folder.write({ path, text: redactor.redact(text), overwrite: true });
}
