import type { Command } from 'commander';
import type { Actions, StageOptions } from './actions.ts';
import { examples, type Frame, onRun } from './frame.ts';
import { stageOptions } from './given.ts';
import { addChoice, addStageOptions } from './options.ts';

type PlainStage =
  | 'prepare'
  | 'onboard'
  | 'promote'
  | 'healthcheck'
  | 'shutdown'
  | 'cleanup'
  | 'finalize'
  | 'deploy';

interface StageText {
  readonly name: PlainStage | 'provision';
  readonly summary: string;
  /** What somebody adds who runs it by hand. */
  readonly example: string;
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
    example: '--evidence-file evidence.jsonl',
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
  },
  { name: 'deploy', summary: 'all stages in turn, for a terminal', example: proveLonger },
];

export function addStageCommands(program: Command, frame: Frame): void {
  for (const { name, summary, example } of stages) {
    const command = addStageOptions(program.command(name).description(summary)).helpGroup(
      'Stages:',
    );
    if (name === 'provision') addProvision(command, frame);
    else addPlainStage(command, frame, name);
    const call = `${name} --runner linux`;
    command.addHelpText('after', examples(call, `${call} ${example}`));
  }
}

function addPlainStage(command: Command, frame: Frame, name: PlainStage): void {
  const run: (options: StageOptions) => ReturnType<Actions[PlainStage]> = (options) =>
    frame.actions[name](options);
  onRun(frame, command, (given) => run(stageOptions(frame, given, command)));
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
