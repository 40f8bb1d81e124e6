import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CommandExit, DemoOptions } from '../../src/cli/handlers.ts';
import { inShell } from '../../src/domain/text/shell-word.ts';
import { badUsage } from '../../src/errors/input.ts';
import { type GitLabVersion, NEWEST_GITLAB } from '../gitlab/answers/versions.ts';
import { resultJson } from './count/result.ts';
import { choosePaces, shortenedWindows, tellDuration } from './play/paces.ts';
import { perform } from './play/performance.ts';
import { renderReport } from './report/page.ts';
import { createScreen, type DemoedProgram, type Screen } from './screen.ts';
import { type Story, summarize } from './story.ts';

/** Two names, or the numbers would be written over the report. */
const usualFiles = { '--report': 'report.html', '--json': 'demo.json' } as const;

/** Whole deployments in a world of its own, counted from outside; leaves nothing but its report. */
export async function runDemo({
  program,
  ...options
}: DemoOptions & { program: DemoedProgram }): Promise<CommandExit> {
  const report = options.report ?? usualFiles['--report'];
  await refuseUnwritable('--report', report);
  if (options.json !== undefined) await refuseUnwritable('--json', options.json);
  const screen = createScreen(program, options);
  const paces = choosePaces(options.speed, options.runners);
  const { gitlabVersion = NEWEST_GITLAB } = options;
  screen.say(tellDuration(options.speed));
  introduce(screen, paces, options.runners === 'gitlab' ? gitlabVersion : undefined);
  const folder = await mkdtemp(join(tmpdir(), 'hosted-runner-demo-'));
  try {
    await mkdir(join(folder, 'marks'));
    const { runners } = options;
    const story = await perform({ program, screen, paces, folder, runners, gitlabVersion });
    await write(program, report, renderReport(story));
    if (options.json !== undefined) await write(program, options.json, resultJson(story));
    conclude(screen, story, report);
    return story.problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (!program.signal.aborted) throw error;
    screen.say('Interrupted: everything was stopped, nothing was left behind.');
    return 130;
  } finally {
    screen.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function introduce(
  screen: Screen,
  paces: ReturnType<typeof choosePaces>,
  gitlabVersion: GitLabVersion | undefined,
): void {
  screen.say('Whole deployments in a sandbox on this computer, under a stream of customers’ jobs.');
  if (gitlabVersion !== undefined) screen.say(`GitLab answers as ${gitlabVersion} does.`);
  screen.say(
    'Active is the shard that deployment_status in Parameter Store names; while the other one takes its place, both take jobs.',
  );
  screen.say('Shortened for the demo, and what it is in production:');
  for (const { what, here, inProduction } of shortenedWindows(paces)) {
    screen.say(`  ${what.padEnd(40)} ${here.padEnd(5)} ${inProduction}`);
  }
}

function conclude(screen: Screen, story: Story, report: string): void {
  screen.heading('Summary');
  for (const { of, text } of summarize(story)) screen.tell(of, text);
  screen.tell('Report', report);
  for (const problem of story.problems) screen.say(`✖ ${problem}`);
  if (story.problems.length === 0)
    screen.say('✔ No job was lost or interrupted, and nothing was left behind.');
}

/** Before minutes are spent on what cannot be kept: a folder to write to, and no folder in the file's place. */
export async function refuseUnwritable(
  option: '--report' | '--json',
  path: string,
  current: string = resolve('.'),
): Promise<void> {
  const folder = dirname(resolve(path));
  // Where the current folder is what cannot be written, its usual file cannot either.
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
    throw refuse(`${folder} is no directory that this user may write to.`);
  }
}

async function write(
  { folder, redactor }: DemoedProgram,
  path: string,
  text: string,
): Promise<void> {
  await folder.write({ path, text: redactor.redact(text), overwrite: true });
}
