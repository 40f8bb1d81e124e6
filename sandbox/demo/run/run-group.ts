import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureConfiguration } from '../../configuration.ts';
import { livingVersion } from '../../github/versions.ts';
import type { GitLabVersion } from '../../gitlab/answers/versions.ts';
import type { Behaviour } from '../../hosts/behaviour.ts';
import { usualParameterPrefix } from '../../options.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { gapMs, shardsOf, spansOf, switchesOf } from '../count/history.ts';
import { judgeJobs, outlasting } from '../count/job-verdicts.ts';
import { readMarks } from '../count/marks.ts';
import { countChecks } from '../count/scenario-checks.ts';
import { startWatch } from '../count/watch.ts';
import { findProblems, readFinalState } from '../final.ts';
import type { DemoedProgram, Screen } from '../screen.ts';
import { describeStanding, type Reading, type WatchedStack } from '../stack-reading.ts';
import type { Story } from '../story.ts';
import { type CiServer, ciServerOf } from './ci-server.ts';
import { type DemoEnvironment, ScenarioFailure } from './demo-environment.ts';
import type { Paces } from './paces.ts';
import type { ScenarioGroup } from './scenarios.ts';
import { createStream, describeJobs, type JobStream, settle } from './stream.ts';

export interface GroupRun {
  readonly runners: WatchedStack['runners'];
  readonly gitlabVersion: GitLabVersion;
  readonly program: DemoedProgram;
  readonly screen: Screen;
  readonly paces: Paces;
  /** Folder of this group. */
  readonly folder: string;
  readonly group: ScenarioGroup;
}

/** Stack of the sandbox's default configuration. */
const runnerName = 'linux';
function stackOf(runners: WatchedStack['runners']): WatchedStack {
  return {
    runnerName,
    prefix: `${usualParameterPrefix}${runnerName}/`,
    productionTag: runnerName,
    runners,
    // A GitHub runner accepts one job at a time.
    managers: runners === 'github' ? 3 : 1,
    shards: ['pink', 'purple'],
  };
}

/** Runs a group in a sandbox that ends with it, also after an error. */
export async function runGroup(run: GroupRun): Promise<Story> {
  const { program, paces, folder } = run;
  program.signal.throwIfAborted();
  await mkdir(join(folder, 'marks'), { recursive: true });
  const sandbox = await startSandbox({
    folder: join(folder, 'sandbox'),
    program: program.command,
    searchPath: program.environment['PATH'] ?? '',
    windows: paces.windows,
    github: paces.github,
    gitlabVersion: run.gitlabVersion,
    behaviour: { ...paces.behaviour, ...behaviourOf(run) },
  });
  for (const name of ['HOSTED_RUNNER_GITLAB_TOKEN', 'HOSTED_RUNNER_GITHUB_TOKEN'])
    program.redactor.add(sandbox.environment[name] ?? '');
  try {
    return await runIn(sandbox, run);
  } finally {
    await sandbox.stop();
  }
}

/**
 * Returns the machines' behaviour. A runner has the version of its GitLab, as GitLab recommends.
 */
function behaviourOf({ runners, gitlabVersion }: GroupRun): Partial<Behaviour> {
  return runners === 'github'
    ? {
        process: 'actions_runner',
        managers: stackOf(runners).managers,
        runnerVersion: livingVersion,
      }
    : { runnerVersion: `${gitlabVersion}.0` };
}

async function runIn(sandbox: Sandbox, run: GroupRun): Promise<Story> {
  const { program, screen, paces, folder } = run;
  const { clock } = program;
  const marks = join(folder, 'marks');
  const stack = stackOf(run.runners);
  const ciServer = ciServerOf(sandbox, stack);
  const stream = createStream({ ciServer, paces, clock, folder: marks, tag: stack.productionTag });
  const onReading = showStanding({ ciServer, screen, stream, elapsed: clock.elapsed });
  const watch = startWatch({ sandbox, stack, clock, onReading });
  const demo: DemoEnvironment = {
    ...run,
    firstNumber: run.group.firstNumber,
    sandbox,
    stack,
    ciServer,
    stream,
    watch,
    environment: environmentOf(sandbox, run),
    summary: { scenarios: [], moments: [], deployments: [], failures: [], outages: [] },
  };
  try {
    await run.group.play(demo).catch((error: unknown) => {
      if (!(error instanceof ScenarioFailure)) throw error;
    });
    await stream.stop();
    await settle({ ciServer, stream, paces, ...program });
  } finally {
    await stream.stop();
    await watch.stop();
  }
  return createStory(demo, marks);
}

async function createStory(demo: DemoEnvironment, marks: string): Promise<Story> {
  const { sandbox, stack, ciServer, watch, stream, summary, program } = demo;
  const { readings } = watch;
  const reading = readings.at(-1) as Reading;
  const jobs = judgeJobs({
    submitted: stream.jobs,
    marks: await readMarks(marks),
    ciServer,
    readings,
    now: program.clock.now(),
  });
  const final = readFinalState(sandbox, { reading, stack });
  const switches = switchesOf(readings);
  const gap = gapMs(readings, summary.outages);
  return {
    ...summary,
    from: readings[0]?.at ?? reading.at,
    to: reading.at,
    shards: shardsOf(readings),
    spans: shardsOf(readings).flatMap((shard) => spansOf(readings, shard)),
    switches,
    jobs,
    outlasting: outlasting(jobs, switches).length,
    checkCount: readings.length,
    gapMs: gap,
    checks: await countChecks(demo.folder, summary.scenarios),
    final,
    problems: findProblems({ jobs, final, gapMs: gap, failures: summary.failures }),
  };
}

/** Builds the environment, without variables of the demo's own CI or account. */
function environmentOf(
  sandbox: Sandbox,
  { program, paces, folder, runners }: GroupRun,
): Record<string, string> {
  const config = ensureConfiguration({
    folder: join(folder, 'sandbox'),
    program: program.command,
    url: sandbox.url,
    runners,
    managers: stackOf(runners).managers,
    windows: paces.configuration,
  });
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG'].flatMap((name) => {
    const value = program.environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), ...sandbox.environment, HOSTED_RUNNER_CONFIG: config };
}

function showStanding({
  ciServer,
  screen,
  stream,
  elapsed,
}: {
  ciServer: CiServer;
  screen: Screen;
  stream: JobStream;
  elapsed: () => number;
}): (reading: Reading) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (reading) => {
    if (elapsed() - shownAt < 250) return;
    shownAt = elapsed();
    const shards = describeStanding(reading);
    if (shards === '') return;
    screen.standing(`${shards}; jobs: ${describeJobs(ciServer, stream)}`, shards);
  };
}
