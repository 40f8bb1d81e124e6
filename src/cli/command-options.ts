import { readAssignment, readDeploymentId, readFilePath, readRunnerName } from './arguments.ts';
import type { OptionDefinition } from './command.ts';
import { simulatedGitlabs } from './handler-types.ts';

export const colorOption: OptionDefinition = {
  flags: '--no-color',
  description: 'plain text without colors, also on a terminal',
};

/** Options that need no command. */
export const ofProgram: readonly OptionDefinition[] = [colorOption];

/** Further options of `help`. */
export const ofHelp: readonly OptionDefinition[] = [
  { flags: '--all', description: 'print the help of all commands' },
];

export const commonOptions: readonly OptionDefinition[] = [
  {
    flags: '--config <file>',
    description: 'configuration file to read (default: hosted-runners.yml)',
    read: readFilePath,
  },
  {
    flags: '--set <key=value>',
    description: 'override a configuration key; may be repeated',
    read: readAssignment,
    many: true,
  },
  colorOption,
];

export const runnersOption: OptionDefinition = {
  flags: '--runners <kind>',
  description: 'runners to deploy (default: gitlab)',
  choices: ['gitlab', 'github'],
};

export const gitlabVersionOption: OptionDefinition = {
  flags: '--gitlab-version <version>',
  description: 'GitLab version to simulate (default: 19.3)',
  choices: simulatedGitlabs,
};

export const runnerOption: OptionDefinition = {
  flags: '--runner <name>',
  description: 'name of the stack (default: value of HOSTED_RUNNER_RUNNER_NAME)',
  read: readRunnerName,
};

const evidenceOption: OptionDefinition = {
  flags: '--evidence-file <file>',
  description: 'append every event to this file as a line of JSON',
  read: readFilePath,
};

const reportOptions: readonly OptionDefinition[] = [
  {
    flags: '--report-dir <folder>',
    description: 'write the reports for the CI to this folder',
    read: readFilePath,
  },
  evidenceOption,
];

/** Options of commands that only read, whose report folder gets only the events. */
export const eventFileOptions: readonly OptionDefinition[] = [
  {
    flags: '--report-dir <folder>',
    description: 'append every event to evidence.jsonl in this folder',
    read: readFilePath,
  },
  evidenceOption,
];

/** Option of commands that run for a while. */
const eventsOption: OptionDefinition = {
  flags: '--json',
  description: 'print events as lines of JSON instead of text; the last line is the result',
};

const verboseOption: OptionDefinition = {
  flags: '--verbose',
  description: 'also print each call, check and verdict',
};

export const plainOption: OptionDefinition = {
  flags: '--plain',
  description: 'print lines instead of a live view, also on a terminal',
};

export const stageOptions: readonly OptionDefinition[] = [
  runnerOption,
  ...commonOptions,
  {
    flags: '--deployment <id>',
    description: 'id of the deployment (default: derived from the pipeline)',
    read: readDeploymentId,
  },
  plainOption,
  verboseOption,
  {
    flags: '--take-lock',
    description:
      "take the stack's lock from another run; first make sure that the other run has ended",
  },
  eventsOption,
  ...reportOptions,
];

/** Options of commands for one stack that write events. */
export const reportedOptions = [
  runnerOption,
  ...commonOptions,
  plainOption,
  verboseOption,
  eventsOption,
  ...reportOptions,
];

export const allStacksOption: OptionDefinition = {
  flags: '--all',
  description: 'include every stack, even if HOSTED_RUNNER_RUNNER_NAME is set',
};

export const jsonOption: OptionDefinition = { flags: '--json', description: 'print JSON' };
