import { readAssignment, readDeploymentId, readFilePath, readRunnerName } from './arguments.ts';
import type { OptionDefinition } from './command.ts';
import { simulatedGitlabs } from './handler-types.ts';

export const colorOption: OptionDefinition = {
  flags: '--no-color',
  description: 'plain text, also on a terminal',
};

/** What is no command's alone: it can be typed without one. */
export const ofProgram: readonly OptionDefinition[] = [colorOption];

/** Of `help`, besides. */
export const ofHelp: readonly OptionDefinition[] = [
  { flags: '--all', description: 'print the help of all commands' },
];

export const commonOptions: readonly OptionDefinition[] = [
  {
    flags: '--config <file>',
    description: 'configuration to read (default: hosted-runners.yml)',
    read: readFilePath,
  },
  {
    flags: '--set <key=value>',
    description: 'override a key of the configuration; may be repeated',
    read: readAssignment,
    many: true,
  },
  colorOption,
];

export const runnersOption: OptionDefinition = {
  flags: '--runners <kind>',
  description: 'whose runners are deployed (default: gitlab)',
  choices: ['gitlab', 'github'],
};

export const gitlabVersionOption: OptionDefinition = {
  flags: '--gitlab-version <version>',
  description: 'the GitLab that it is, as that version answers (default: 19.3)',
  choices: simulatedGitlabs,
};

export const runnerOption: OptionDefinition = {
  flags: '--runner <name>',
  description: 'the stack; HOSTED_RUNNER_RUNNER_NAME when absent',
  read: readRunnerName,
};

const evidenceOption: OptionDefinition = {
  flags: '--evidence-file <file>',
  description: 'append every event here as a line of JSON',
  read: readFilePath,
};

const reportOptions: readonly OptionDefinition[] = [
  {
    flags: '--report-dir <folder>',
    description: "write the files for a CI's reports here",
    read: readFilePath,
  },
  evidenceOption,
];

/** Of what only looks: no deployment is told of, so that the folder of the reports gets the events alone. */
export const eventFileOptions: readonly OptionDefinition[] = [
  {
    flags: '--report-dir <folder>',
    description: 'append every event to evidence.jsonl in this folder',
    read: readFilePath,
  },
  evidenceOption,
];

/** Of commands that go on for a while. */
const eventsOption: OptionDefinition = {
  flags: '--json',
  description: 'a line of JSON for each event, in place of text; the last one is the result',
};

const verboseOption: OptionDefinition = {
  flags: '--verbose',
  description: 'a line for each call, look and judgement, too',
};

export const plainOption: OptionDefinition = {
  flags: '--plain',
  description: 'lines only, no live picture, also at a terminal',
};

export const stageOptions: readonly OptionDefinition[] = [
  runnerOption,
  ...commonOptions,
  {
    flags: '--deployment <id>',
    description: "the deployment's id (default: the pipeline's own)",
    read: readDeploymentId,
  },
  plainOption,
  verboseOption,
  { flags: '--take-lock', description: "I have made sure that the lock's owner no longer runs" },
  eventsOption,
  ...reportOptions,
];

/** One stack, whose events are written where it is asked for. */
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
  description: 'every stack, also where HOSTED_RUNNER_RUNNER_NAME names one',
};

export const jsonOption: OptionDefinition = { flags: '--json', description: 'as JSON' };
