import type { Shard, StackShard } from '../../domain/shard.ts';
import { badUsage } from '../../errors/input-errors.ts';
import { readFilePath, readPort, readShard, readUrl } from '../arguments.ts';
import type { CommandCall, CommandDefinition } from '../command.ts';
import {
  colorOption,
  gitlabVersionOption,
  runnerOption,
  runnersOption,
} from '../command-options.ts';
import type { CommandExit, SandboxOptions, SandboxSignalOptions } from '../handler-types.ts';
import { readStack, requireOption } from '../option-values.ts';

/** The sandbox itself checks the words. */
const asTyped = (text: string) => text;

export const sandboxCommand: CommandDefinition = {
  name: 'sandbox',
  phrase: 'run a sandbox that simulates GitLab, Parameter Store and hosts, until interrupted',
  group: 'Getting started:',
  isLocal: true,
  options: [
    {
      flags: '--folder <folder>',
      description: "folder for the sandbox's state, which survives a restart",
      read: readFilePath,
    },
    {
      flags: '--env <file>',
      description:
        'write the export commands to this private file once the sandbox accepts requests',
      read: readFilePath,
    },
    {
      flags: '--port <port>',
      description: 'port on loopback; 0 selects any free port',
      read: readPort,
    },
    {
      flags: '--forward-ssm <url>',
      description: 'send Parameter Store requests to this emulator',
      read: readUrl,
    },
    {
      flags: '--runner-binary <path>',
      description: 'start this released gitlab-runner on the hosts, with the shell executor',
      read: readFilePath,
    },
    runnersOption,
    gitlabVersionOption,
    colorOption,
  ],
  examples: [
    'sandbox',
    'sandbox --env sandbox.env',
    'sandbox --folder .hosted-runner --port 8765',
    'sandbox --gitlab-version 17.5',
  ],
  inner: [
    ofShard({
      name: 'apply',
      phrase: 'build a shard in the sandbox (a command for the key infrastructure.apply)',
      act: ({ handlers }, options) => handlers.sandboxApply(options),
    }),
    ofShard({
      name: 'destroy',
      phrase: 'destroy a shard in the sandbox (a command for the key infrastructure.destroy)',
      act: ({ handlers }, options) => handlers.sandboxDestroy(options),
    }),
    signalCommand(),
    {
      name: 'manager',
      phrase: '',
      argument: { name: '[arguments...]', description: '' },
      options: [],
      examples: [],
      isHidden: true,
      run: async ({ handlers, words }) => handlers.sandboxManager(words),
    },
  ],
  run: runSandbox,
};

/** The sandbox's options have the names of their flags. */
async function runSandbox({ handlers, given }: CommandCall): Promise<CommandExit> {
  return handlers.sandbox({
    runners: 'gitlab',
    color: true,
    ...(given as Partial<SandboxOptions>),
  });
}

function signalCommand(): CommandDefinition {
  return {
    name: 'signal',
    phrase: 'set the response of a bake signal in the sandbox',
    options: [
      { flags: '--alarm <name>', description: 'name of a CloudWatch alarm', read: asTyped },
      { flags: '--query <query>', description: 'a Prometheus query', read: asTyped },
      { flags: '--webhook', description: 'the webhook' },
      {
        flags: '--says <word>',
        description:
          'the response; for an alarm: `OK`, `ALARM`, `INSUFFICIENT_DATA`, `none`; for a query: a number, `none`, `silent`, `malformed`, `refused`; for the webhook: a status, `silent`, `malformed`',
        read: asTyped,
      },
      colorOption,
    ],
    examples: [
      'sandbox signal --alarm runner-errors --says ALARM',
      'sandbox signal --query runner_errors --says 0.2',
      'sandbox signal --webhook --says 404',
    ],
    run: async (call) => call.handlers.sandboxSignal(readSignal(call)),
  };
}

function readSignal(call: CommandCall): SandboxSignalOptions {
  const { alarm, query, webhook } = call.given;
  const named: SandboxSignalOptions['of'][] = [
    ...(alarm === undefined ? [] : [{ alarm: alarm as string }]),
    ...(query === undefined ? [] : [{ query: query as string }]),
    ...(webhook === true ? (['webhook'] as const) : []),
  ];
  const [of, ...others] = named;
  if (of === undefined || others.length > 0)
    throw badUsage({
      what: 'Name exactly one signal: an alarm, a query or the webhook.',
      fix: [
        { text: 'Name one', command: 'sandbox signal --webhook --says 404', isAlone: true },
        seeHelp,
      ],
    });
  return { of, value: requireOption<string>(call, '--says WORD') };
}

const seeHelp = {
  text: 'Show all signals',
  command: 'sandbox signal --help',
  isAlone: true,
} as const;

function ofShard({
  name,
  phrase,
  act,
}: {
  readonly name: string;
  readonly phrase: string;
  readonly act: (call: CommandCall, options: StackShard) => Promise<CommandExit>;
}): CommandDefinition {
  return {
    name,
    phrase,
    options: [
      runnerOption,
      { flags: '--shard <shard>', description: 'the shard', read: readShard },
      colorOption,
    ],
    examples: [`sandbox ${name} --runner linux --shard pink`],
    run: async (call) =>
      act(call, {
        runnerName: readStack(call).runnerName,
        shard: requireOption<Shard>(call, '--shard NAME'),
      }),
  };
}
