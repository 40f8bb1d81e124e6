import type { Command } from 'commander';
import { badUsage } from '../../errors/input.ts';
import type { Actions, HealthcheckOptions, StageOptions } from '../actions.ts';
import { readEvery, readListen, readShardName } from '../arguments.ts';
import { examples, type Frame, type Given, onRun } from '../frame.ts';
import { commonOptions, reportOptions, stageOptions, whenGiven } from '../given.ts';
import { addChoice, addOption, addStageOptions } from '../options.ts';

type PlainStage =
  | 'prepare'
  | 'onboard'
  | 'promote'
  | 'shutdown'
  | 'cleanup'
  | 'finalize'
  | 'deploy';

interface StageText {
  readonly name: PlainStage | 'provision' | 'healthcheck';
  readonly summary: string;
  /** What somebody adds who runs it by hand. */
  readonly example: string;
  /** A call that names no stack. */
  readonly alone?: string;
}

const drainLonger = '--set drain.timeout=2h';
const proveLonger = '--set healthcheck.timeout=30m';

/** In the order of a pipeline. */
const stages: readonly StageText[] = [
  {
    name: 'prepare',
    summary: 'check everything, choose the candidate and record the choice',
    example: '--config infra/hosted-runners.yml',
  },
  {
    name: 'onboard',
    summary: 'register the candidate in quarantine and store its token',
    example: '--config infra/hosted-runners.yml',
  },
  {
    name: 'provision',
    summary: 'build the candidate, prove that it runs jobs, make it active',
    example: '--until healthy',
  },
  {
    name: 'promote',
    summary: 'make the candidate active, after an approval',
    example: proveLonger,
  },
  {
    name: 'healthcheck',
    summary: 'collect evidence and give a verdict; changes nothing',
    example: '--listen 127.0.0.1:8888',
  },
  {
    name: 'shutdown',
    summary: 'let the retiring shard finish its jobs and stop it',
    example: drainLonger,
  },
  {
    name: 'cleanup',
    summary: 'remove the registration and the infrastructure of the retiring shard',
    example: '--take-lock',
  },
  {
    name: 'finalize',
    summary: 'do whatever is left from shutdown and cleanup, or say why nothing is',
    example: drainLonger,
    alone: 'finalize --all',
  },
  { name: 'deploy', summary: 'all stages in turn, for a terminal', example: proveLonger },
];

export function addStageCommands(program: Command, frame: Frame): void {
  for (const { name, summary, example, alone } of stages) {
    const command = addStageOptions(program.command(name).description(summary)).helpGroup(
      'Stages:',
    );
    if (name === 'provision') addProvision(command, frame);
    else if (name === 'healthcheck') addHealthcheck(command, frame);
    else if (name === 'finalize') addFinalize(command, frame);
    else addPlainStage(command, frame, name);
    const call = `${name} --runner linux`;
    const calls = alone === undefined ? [] : [alone];
    command.addHelpText('after', examples(call, `${call} ${example}`, ...calls));
  }
}

function addPlainStage(command: Command, frame: Frame, name: PlainStage): void {
  const run: (options: StageOptions) => ReturnType<Actions[PlainStage]> = (options) =>
    frame.actions[name](options);
  onRun(frame, command, (given) => run(stageOptions(frame, given, command)));
}

function addFinalize(command: Command, frame: Frame): void {
  command.option('--all', 'every stack of the configuration at once, each by itself');
  onRun(frame, command, (given) => {
    if (given['all'] !== true) return frame.actions.finalize(stageOptions(frame, given, command));
    const single = ['runner', 'deployment'].find((flag) => given[flag] !== undefined);
    if (single !== undefined) {
      throw badUsage({
        what: `finalize got both --${single} and --all.`,
        fix: [
          'One stack: hosted-runner finalize --runner NAME',
          'Every stack: hosted-runner finalize --all',
        ],
      });
    }
    return frame.actions.finalizeAll({
      ...commonOptions(given),
      ...reportOptions(frame, given),
      takeLock: given['takeLock'] === true,
    });
  });
}

function addProvision(command: Command, frame: Frame): void {
  addChoice(command, {
    flags: '--until <place>',
    description: 'stop at healthy, because an approval comes before the switch',
    choices: ['healthy', 'promoted'],
  });
  onRun(frame, command, (given) =>
    frame.actions.provision({
      ...stageOptions(frame, given, command),
      until: given['until'] === 'healthy' ? 'healthy' : 'promoted',
    }),
  );
}

function addHealthcheck(command: Command, frame: Frame): void {
  addOption(command, {
    flags: '--listen <address>',
    description: 'serve the verdict there: /health, /live, /metrics; it never starts a canary',
    read: readListen,
  });
  command.option('--once', 'one look instead of many; with --listen, ask what is served there');
  addOption(command, {
    flags: '--shard <shard>',
    description: 'with --listen or --once: this shard instead of the active one',
    read: readShardName,
  });
  addOption(command, {
    flags: '--every <duration>',
    description: 'with --listen: how often to look (default: 30s)',
    read: readEvery,
  });
  onRun(frame, command, (given) => {
    const served = given['listen'] !== undefined;
    const once = given['once'] === true;
    refuseAlone(given, 'shard', served || once ? undefined : '--listen or --once');
    refuseAlone(given, 'every', served && !once ? undefined : '--listen, and without --once');
    return frame.actions.healthcheck({
      ...stageOptions(frame, given, command),
      ...whenGiven('listen', given['listen'] as HealthcheckOptions['listen']),
      ...whenGiven('once', once ? (true as const) : undefined),
      ...whenGiven('shard', given['shard'] as string | undefined),
      ...whenGiven('everyMs', given['every'] as number | undefined),
    });
  });
}

function refuseAlone(given: Given, flag: string, goesWith: string | undefined): void {
  if (given[flag] === undefined || goesWith === undefined) return;
  throw badUsage({
    what: `--${flag} goes with ${goesWith}.`,
    fix: ['See its examples: hosted-runner healthcheck --help'],
  });
}
