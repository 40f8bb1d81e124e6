import type { Command } from 'commander';
import type { InitOptions } from '../actions.ts';
import { readFilePath, readSpeed } from '../arguments.ts';
import { examples, type Frame, onRun } from '../frame.ts';
import { commonOptions, whenGiven } from '../given.ts';
import {
  addChoice,
  addColorOption,
  addCommonOptions,
  addGitlabVersionOption,
  addOption,
  addRunnersOption,
} from '../options.ts';
import type { SimulatedGitlab } from '../simulated-gitlabs.ts';

const group = 'Getting started:';

export function addSetupCommands(program: Command, frame: Frame): void {
  addInit(program, frame);
  addValidate(program, frame);
  addVerify(program, frame);
  addReplay(program, frame);
  addDemo(program, frame);
}

function addInit(program: Command, frame: Frame): void {
  const command = program
    .command('init')
    .description('write a commented hosted-runners.yml and show the snippet for the CI')
    .helpGroup(group);
  addChoice(command, {
    flags: '--ci <ci>',
    description: 'whose snippet (default: found out from the repository)',
    choices: ['gitlab', 'github'],
  });
  command.option('--force', 'overwrite a configuration that exists');
  addOption(command, {
    flags: '--config <file>',
    description: 'file to write (default: hosted-runners.yml)',
    read: readFilePath,
  });
  addColorOption(command);
  onRun(frame, command, (given) =>
    frame.actions.init({
      ...whenGiven('config', given['config'] as string | undefined),
      ...whenGiven('ci', given['ci'] as InitOptions['ci']),
      force: given['force'] === true,
      color: given['color'] !== false,
    }),
  );
  command.addHelpText('after', examples('init', 'init --ci github'));
}

function addValidate(program: Command, frame: Frame): void {
  const command = program
    .command('validate')
    .description('check the configuration: every problem at once, nothing is contacted')
    .helpGroup(group);
  addCommonOptions(command);
  onRun(frame, command, (given) => frame.actions.validate(commonOptions(given)));
  command.addHelpText('after', examples('validate', 'validate --config infra/hosted-runners.yml'));
}

function addVerify(program: Command, frame: Frame): void {
  const command = program
    .command('verify')
    .argument('<file...>', 'evidence of the jobs of a deployment, in their order')
    .description('judge a deployment by its evidence files: which promises held, and which did not')
    .helpGroup(group);
  command.option('--json', 'print the findings as JSON');
  addColorOption(command);
  onRun(frame, command, (given) =>
    frame.actions.verify({ files: command.args, json: given['json'] === true }),
  );
  command.addHelpText(
    'after',
    examples('verify evidence.jsonl', 'verify --json prepare.jsonl provision.jsonl'),
  );
}

function addReplay(program: Command, frame: Frame): void {
  const command = program
    .command('replay')
    .argument('<file>', 'a recording, made with HOSTED_RUNNER_RECORD=FILE')
    .description(
      'read recorded answers of GitLab again: which could not be read, which are not known',
    )
    .helpGroup(group);
  command.option('--json', 'print what became of each answer as JSON');
  addColorOption(command);
  onRun(frame, command, (given) =>
    frame.actions.replay({ file: command.args[0] ?? '', json: given['json'] === true }),
  );
  command.addHelpText('after', examples('replay recording.jsonl', 'replay --json recording.jsonl'));
}

function addDemo(program: Command, frame: Frame): void {
  const command = program
    .command('demo')
    .description('run whole deployments in a sandbox under a stream of jobs; needs no account')
    .helpGroup(group);
  addOption(command, {
    flags: '--json <file>',
    description: 'write the numbers here',
    read: readFilePath,
  });
  addOption(command, {
    flags: '--report <file>',
    description: 'write the timeline here (default: report.html)',
    read: readFilePath,
  });
  addOption(command, {
    flags: '--speed <factor>',
    description: 'how many times faster than usual (default: 1)',
    read: readSpeed,
  });
  addRunnersOption(command);
  addGitlabVersionOption(command);
  addColorOption(command);
  onRun(frame, command, (given) =>
    frame.actions.demo({
      runners: (given['runners'] as 'gitlab' | 'github' | undefined) ?? 'gitlab',
      ...whenGiven('json', given['json'] as string | undefined),
      ...whenGiven('report', given['report'] as string | undefined),
      ...whenGiven('gitlabVersion', given['gitlabVersion'] as SimulatedGitlab | undefined),
      speed: (given['speed'] as number | undefined) ?? 1,
      color: given['color'] !== false,
    }),
  );
  command.addHelpText(
    'after',
    examples(
      'demo',
      'demo --runners github',
      'demo --gitlab-version 17.5',
      'demo --json demo.json --report timeline.html',
    ),
  );
}
