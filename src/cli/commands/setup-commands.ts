import { readFilePath, readShell, readSpeed } from '../arguments.ts';
import type { CommandCall, CommandDefinition } from '../command.ts';
import {
  colorOption,
  commonOptions,
  gitlabVersionOption,
  jsonOption,
  plainOption,
  runnerOption,
  runnersOption,
} from '../command-options.ts';
import { readCheckDocumentOptions, readValidateOptions } from '../command-values.ts';
import type { CommandExit, DemoOptions, InitOptions } from '../handler-types.ts';
import { whenGiven } from '../option-values.ts';

const group = 'Getting started:';

export const setupCommands: readonly CommandDefinition[] = [
  {
    name: 'init',
    phrase: 'write a commented hosted-runners.yml and show the snippet for the CI',
    group,
    isLocal: true,
    options: [
      {
        flags: '--ci <ci>',
        description: 'whose snippet (default: found out from the repository)',
        choices: ['gitlab', 'github'],
      },
      {
        flags: '--terraform',
        description: 'write a root module for one shard to infrastructure/, too',
      },
      { flags: '--force', description: 'overwrite what exists' },
      {
        flags: '--config <file>',
        description: 'file to write (default: hosted-runners.yml)',
        read: readFilePath,
      },
      jsonOption,
      colorOption,
    ],
    examples: ['init', 'init --ci github', 'init --terraform'],
    run: async ({ handlers, given }) =>
      handlers.init({ force: false, color: true, ...(given as Partial<InitOptions>) }),
  },
  {
    name: 'validate',
    phrase: 'check the configuration: every problem at once, nothing is contacted',
    group,
    isLocal: true,
    options: [jsonOption, ...commonOptions],
    examples: ['validate', 'validate --config infra/hosted-runners.yml', 'validate --json'],
    run: async (call) => call.handlers.validate(readValidateOptions(call)),
  },
  {
    name: 'check-document',
    phrase: 'print the document of Systems Manager that host.document names; contacts nobody',
    group,
    isLocal: true,
    options: [
      runnerOption,
      {
        flags: '--output <file>',
        description: 'write the document here, and not to standard output',
        read: readFilePath,
      },
      ...commonOptions,
    ],
    examples: [
      'check-document --runner linux',
      'check-document --runner linux --output check-document.json',
    ],
    run: async (call) => call.handlers.checkDocument(readCheckDocumentOptions(call)),
  },
  {
    name: 'explain',
    phrase: 'what an error means, who serves, and what to do; needs no network',
    group,
    isLocal: true,
    argument: { name: '[code]', description: 'the code behind `ref`; all of them without one' },
    options: [jsonOption, colorOption],
    examples: ['explain DrainTimedOut', 'explain'],
    run: async ({ handlers, words: [code], given }) =>
      handlers.explain({ ...whenGiven('code', code), json: given['json'] === true }),
  },
  {
    name: 'completion',
    phrase: 'print what makes a shell complete commands and options',
    group,
    isLocal: true,
    argument: { name: '[shell]', description: 'bash, zsh or fish' },
    options: [colorOption],
    examples: ['completion bash', 'completion zsh', 'completion fish'],
    run: async ({ handlers, words: [shell = ''] }) =>
      handlers.completion({ shell: readShell(shell) }),
  },
  {
    name: 'verify',
    phrase: 'judge a deployment by its evidence files: which promises held, and which did not',
    group,
    isLocal: true,
    argument: {
      name: '<file...>',
      description: 'evidence of the jobs of a deployment, in their order',
    },
    options: [{ flags: '--json', description: 'print the findings as JSON' }, colorOption],
    examples: ['verify evidence.jsonl', 'verify --json prepare.jsonl provision.jsonl'],
    run: async ({ handlers, words, given }) =>
      handlers.verify({ files: words, json: given['json'] === true }),
  },
  {
    name: 'replay',
    phrase: 'read recorded answers of GitLab again: which could not be read, which are not known',
    group,
    isLocal: true,
    argument: {
      name: '<file>',
      description: 'a recording, made with HOSTED_RUNNER_RECORD=FILE',
    },
    options: [
      { flags: '--json', description: 'print what became of each answer as JSON' },
      colorOption,
    ],
    examples: ['replay recording.jsonl', 'replay --json recording.jsonl'],
    run: async ({ handlers, words: [file = ''], given }) =>
      handlers.replay({ file, json: given['json'] === true }),
  },
  {
    name: 'demo',
    touchesNoRunner: true,
    phrase: 'run whole deployments in a sandbox under a stream of jobs; needs no account',
    group,
    options: [
      {
        flags: '--json <file>',
        description: 'write the numbers as JSON here; the story stays on standard output',
        read: readFilePath,
        withoutValue: {
          why: 'The demo tells its story on standard output, and writes its numbers as JSON into a file.',
          example: 'demo --json demo.json',
        },
      },
      {
        flags: '--report <file>',
        description: 'write the timeline here (default: report.html)',
        read: readFilePath,
      },
      {
        flags: '--speed <factor>',
        description: 'how many times faster than usual (default: 1)',
        read: readSpeed,
      },
      { flags: '--all', description: 'play every scene (default: five of them)' },
      { flags: '--verbose', description: 'print every line of every command' },
      runnersOption,
      gitlabVersionOption,
      plainOption,
      colorOption,
    ],
    examples: [
      'demo',
      'demo --all --verbose',
      'demo --runners github',
      'demo --gitlab-version 17.5',
      'demo --json demo.json --report timeline.html',
    ],
    run: runDemo,
  },
];

async function runDemo({ handlers, given }: CommandCall): Promise<CommandExit> {
  const { color: _, ...options } = given;
  return handlers.demo({ runners: 'gitlab', speed: 1, ...(options as Partial<DemoOptions>) });
}
