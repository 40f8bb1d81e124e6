import { readFilePath, readNewRunnerName, readShell, readSpeed } from '../arguments.ts';
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
import { setupCommand } from './setup-gitlab.ts';

const group = 'Getting started:';

export const setupCommands: readonly CommandDefinition[] = [
  {
    name: 'init',
    phrase: 'write hosted-runners.yml and the file of the CI, or add stacks; prompts for values',
    group,
    isLocal: true,
    options: [
      {
        flags: '--stack <name>',
        description:
          'stack to write (default: linux), or to add if the file exists; may be repeated',
        read: readNewRunnerName,
        many: true,
      },
      {
        flags: '--ci <ci>',
        description: 'CI that deploys (default: detected from the repository)',
        choices: ['gitlab', 'github'],
      },
      {
        flags: '--terraform',
        description: 'also write a root module for one shard to infrastructure/',
      },
      {
        flags: '--force',
        description: 'overwrite the configuration and infrastructure/, but not the file of the CI',
      },
      {
        flags: '--config <file>',
        description: 'file to write (default: hosted-runners.yml)',
        read: readFilePath,
      },
      jsonOption,
      colorOption,
    ],
    examples: ['init', 'init --ci github', 'init --terraform --stack linux --stack arm'],
    run: async ({ handlers, given: { stack, ...given } }) =>
      handlers.init({
        force: false,
        color: true,
        ...(given as Partial<InitOptions>),
        ...whenGiven('stacks', stack as InitOptions['stacks']),
      }),
  },
  {
    name: 'validate',
    phrase: 'check the configuration with its files, and report all problems',
    group,
    touchesNoRunner: true,
    options: [
      {
        flags: '--online',
        description:
          'also probe credentials and permissions as prepare does (default: needs no network)',
      },
      jsonOption,
      ...commonOptions,
    ],
    examples: ['validate', 'validate --online', 'validate --config infra/hosted-runners.yml'],
    run: async (call) => call.handlers.validate(readValidateOptions(call)),
  },
  setupCommand,
  {
    name: 'check-document',
    phrase:
      'print the Systems Manager document that checks hosts (key host.document); needs no network',
    group,
    isLocal: true,
    options: [
      runnerOption,
      {
        flags: '--output <file>',
        description: 'write the document to this file instead of standard output',
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
    phrase: 'explain an error and what to do; needs no network',
    group,
    isLocal: true,
    argument: {
      name: '[code]',
      description: 'the code after `ref` in an error (default: list all codes)',
    },
    options: [jsonOption, colorOption],
    examples: ['explain DrainTimedOut', 'explain'],
    run: async ({ handlers, words: [code], given }) =>
      handlers.explain({ ...whenGiven('code', code), json: given['json'] === true }),
  },
  {
    name: 'completion',
    phrase: 'print the completion script of a shell',
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
    phrase: 'read the evidence files of a deployment and report which guarantees it kept',
    group,
    isLocal: true,
    argument: {
      name: '<file...>',
      description: 'evidence files of one deployment, in the order of its jobs',
    },
    options: [{ flags: '--json', description: 'print the findings as JSON' }, colorOption],
    examples: ['verify evidence.jsonl', 'verify --json prepare.jsonl provision.jsonl'],
    run: async ({ handlers, words, given }) =>
      handlers.verify({ files: words, json: given['json'] === true }),
  },
  {
    name: 'replay',
    phrase:
      'parse the responses of GitLab in a recording; list unreadable responses and unknown calls',
    group,
    isLocal: true,
    argument: {
      name: '<file>',
      description: 'a recording, made with HOSTED_RUNNER_RECORD=FILE',
    },
    options: [
      { flags: '--json', description: 'print the result of each response as JSON' },
      colorOption,
    ],
    examples: ['replay recording.jsonl', 'replay --json recording.jsonl'],
    run: async ({ handlers, words: [file = ''], given }) =>
      handlers.replay({ file, json: given['json'] === true }),
  },
  {
    name: 'demo',
    touchesNoRunner: true,
    phrase: 'run whole deployments in a sandbox while jobs run; needs no account',
    group,
    options: [
      {
        flags: '--json <file>',
        description: 'write the measured numbers to this file as JSON',
        read: readFilePath,
        withoutValue: {
          why: 'The demo prints its scenes to standard output and writes its numbers to a file.',
          example: 'demo --json demo.json',
        },
      },
      {
        flags: '--report <file>',
        description: 'write the timeline to this file (default: report.html)',
        read: readFilePath,
      },
      {
        flags: '--speed <factor>',
        description: 'speed factor (default: 1; 2 is twice as fast)',
        read: readSpeed,
      },
      { flags: '--all', description: 'run every scene (default: five scenes)' },
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
