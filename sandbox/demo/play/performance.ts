import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureConfiguration } from '../../configuration.ts';
import { livingVersion } from '../../github/versions.ts';
import type { GitLabVersion } from '../../gitlab/answers/versions.ts';
import type { Behaviour } from '../../hosts/behaviour.ts';
import { usualParameterPrefix } from '../../options.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { gapMs, shardsOf, spansOf, switchesOf } from '../count/history.ts';
import { countJudged } from '../count/judged.ts';
import { judgeJobs, outlasting } from '../count/judgement.ts';
import { readMarks } from '../count/marks.ts';
import { startWatch } from '../count/watch.ts';
import { findProblems, readFinalState } from '../final.ts';
import { describeStanding, type Look, type WatchedStack } from '../look.ts';
import type { DemoedProgram, Screen } from '../screen.ts';
import type { Story } from '../story.ts';
import { type Forge, forgeOf } from './forge.ts';
import type { Paces } from './paces.ts';
import type { Act } from './scenes.ts';
import { createStream, describeJobs, type JobStream, settle } from './stream.ts';
import { SceneFailure, type Theatre } from './theatre.ts';

export interface Stage {
  readonly runners: WatchedStack['runners'];
  readonly gitlabVersion: GitLabVersion;
  readonly program: DemoedProgram;
  readonly screen: Screen;
  readonly paces: Paces;
  /** Of this act alone. */
  readonly folder: string;
  readonly act: Act;
}

/** The stack of the sandbox's own configuration. */
const runnerName = 'linux';
function stackOf(runners: WatchedStack['runners']): WatchedStack {
  return {
    runnerName,
    prefix: `${usualParameterPrefix}${runnerName}/`,
    productionTag: runnerName,
    runners,
    // A runner of GitHub takes one job at a time.
    managers: runners === 'github' ? 3 : 1,
    shards: ['pink', 'purple'],
  };
}

/** Plays an act in a sandbox that ends with it, whatever happens. */
export async function perform(stage: Stage): Promise<Story> {
  const { program, paces, folder } = stage;
  program.signal.throwIfAborted();
  await mkdir(join(folder, 'marks'), { recursive: true });
  const sandbox = await startSandbox({
    folder: join(folder, 'sandbox'),
    program: program.command,
    searchPath: program.environment['PATH'] ?? '',
    windows: paces.windows,
    github: paces.github,
    gitlabVersion: stage.gitlabVersion,
    behaviour: { ...paces.behaviour, ...behaviourOf(stage) },
  });
  for (const name of ['HOSTED_RUNNER_GITLAB_TOKEN', 'HOSTED_RUNNER_GITHUB_TOKEN'])
    program.redactor.add(sandbox.environment[name] ?? '');
  try {
    return await playIn(sandbox, stage);
  } finally {
    await sandbox.stop();
  }
}

/** A runner is as old as its GitLab, which is what GitLab advises. */
function behaviourOf({ runners, gitlabVersion }: Stage): Partial<Behaviour> {
  return runners === 'github'
    ? {
        process: 'actions_runner',
        managers: stackOf(runners).managers,
        runnerVersion: livingVersion,
      }
    : { runnerVersion: `${gitlabVersion}.0` };
}

async function playIn(sandbox: Sandbox, stage: Stage): Promise<Story> {
  const { program, screen, paces, folder } = stage;
  const { clock } = program;
  const marks = join(folder, 'marks');
  const stack = stackOf(stage.runners);
  const forge = forgeOf(sandbox, stack);
  const stream = createStream({ forge, paces, clock, folder: marks, tag: stack.productionTag });
  const onLook = showStanding({ forge, screen, stream, elapsed: clock.elapsed });
  const watch = startWatch({ sandbox, stack, clock, onLook });
  const theatre: Theatre = {
    ...stage,
    firstNumber: stage.act.firstNumber,
    sandbox,
    stack,
    forge,
    stream,
    watch,
    environment: environmentOf(sandbox, stage),
    playbill: { scenes: [], moments: [], deployments: [], failures: [], outages: [] },
  };
  try {
    await stage.act.play(theatre).catch((error: unknown) => {
      if (!(error instanceof SceneFailure)) throw error;
    });
    await stream.stop();
    await settle({ forge, stream, paces, ...program });
  } finally {
    await stream.stop();
    await watch.stop();
  }
  return tell(theatre, marks);
}

async function tell(theatre: Theatre, marks: string): Promise<Story> {
  const { sandbox, stack, forge, watch, stream, playbill, program } = theatre;
  const { looks } = watch;
  const look = looks.at(-1) as Look;
  const jobs = judgeJobs({
    submitted: stream.jobs,
    marks: await readMarks(marks),
    forge,
    looks,
    now: program.clock.now(),
  });
  const final = readFinalState(sandbox, { look, stack });
  const switches = switchesOf(looks);
  const gap = gapMs(looks, playbill.outages);
  return {
    ...playbill,
    from: looks[0]?.at ?? look.at,
    to: look.at,
    shards: shardsOf(looks),
    spans: shardsOf(looks).flatMap((shard) => spansOf(looks, shard)),
    switches,
    jobs,
    outlasting: outlasting(jobs, switches).length,
    looks: looks.length,
    gapMs: gap,
    judged: await countJudged(theatre.folder, playbill.scenes),
    final,
    problems: findProblems({ jobs, final, gapMs: gap, failures: playbill.failures }),
  };
}

/** Nothing of the CI or the account that the demo happens to run in. */
function environmentOf(
  sandbox: Sandbox,
  { program, paces, folder, runners }: Stage,
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
  forge,
  screen,
  stream,
  elapsed,
}: {
  forge: Forge;
  screen: Screen;
  stream: JobStream;
  elapsed: () => number;
}): (look: Look) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (look) => {
    if (elapsed() - shownAt < 250) return;
    shownAt = elapsed();
    const shards = describeStanding(look);
    if (shards === '') return;
    screen.standing(`${shards}; jobs: ${describeJobs(forge, stream)}`, shards);
  };
}
