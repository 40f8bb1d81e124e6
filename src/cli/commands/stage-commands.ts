import type { StageName } from '../../domain/deployment/stages-and-steps.ts';
import { readEvery, readHostName, readListen, readReason, readShardName } from '../arguments.ts';
import type { CommandCall, CommandDefinition, OptionDefinition } from '../command.ts';
import { stageOptions } from '../command-options.ts';
import {
  readFinalizeAllOptions,
  readHealthcheckOptions,
  readProvisionOptions,
} from '../command-values.ts';
import { readBeginningOptions, readStage } from '../option-values.ts';

interface Told {
  readonly phrase: string;
  /** What somebody adds who runs it by hand. */
  readonly example: string;
  /** A call that names no stack. */
  readonly alone?: string;
}

/** Whose options are those of every stage. */
type Plain = Exclude<StageName, 'provision' | 'prepare'>;

/** With what it has besides the options of every stage, and how that is read. */
type StageText = Told &
  (
    | { readonly name: Plain; readonly own?: undefined }
    | {
        readonly name: StageName | 'healthcheck' | 'deploy';
        readonly own: Pick<CommandDefinition, 'options' | 'run'>;
      }
  );

const drainLonger = '--set drain.timeout=2h';
const proveLonger = '--set healthcheck.timeout=30m';

const until: OptionDefinition = {
  flags: '--until <place>',
  description:
    'stop at healthy for an approval, or switch; by default as recorded for the deployment',
  choices: ['healthy', 'promoted'],
};

const listening: readonly OptionDefinition[] = [
  {
    flags: '--listen <address>',
    description: 'serve the verdict there: /health, /live, /metrics; it never starts a canary',
    read: readListen,
  },
  {
    flags: '--allow-host <name>',
    description: 'with --listen: also answer requests for this name; may be repeated',
    many: true,
    read: readHostName,
  },
  {
    flags: '--once',
    description: 'one look instead of many; with --listen, ask what is served there',
  },
  {
    flags: '--shard <shard>',
    description: 'with --listen or --once: this shard instead of the active one',
    read: readShardName,
  },
  {
    flags: '--every <duration>',
    description: 'with --listen: how often to look (default: 30s)',
    read: readEvery,
  },
];

const again: OptionDefinition = {
  flags: '--again <reason>',
  description: 'deploy what was taken back once more, and why; HOSTED_RUNNER_AGAIN when absent',
  read: readReason,
};

const all: OptionDefinition = {
  flags: '--all',
  description: 'every stack of the configuration at once, each by itself',
};

/** In the order of a pipeline. */
const stages: readonly StageText[] = [
  {
    name: 'prepare',
    phrase: 'check everything, choose the candidate and record the choice',
    example: '--config infra/hosted-runners.yml',
    own: {
      options: [again],
      run: async (call) => call.handlers.prepare(readBeginningOptions(call)),
    },
  },
  {
    name: 'onboard',
    phrase: 'register the candidate in quarantine and store its token',
    example: '--config infra/hosted-runners.yml',
  },
  {
    name: 'provision',
    phrase: 'build the candidate, prove that it runs jobs, make it active',
    example: '--until healthy',
    own: {
      options: [until],
      run: async (call) => call.handlers.provision(readProvisionOptions(call)),
    },
  },
  {
    name: 'promote',
    phrase: 'make the candidate active, after an approval',
    example: proveLonger,
  },
  {
    name: 'healthcheck',
    phrase: 'collect evidence and give a verdict; changes nothing',
    example: '--listen 127.0.0.1:8888',
    own: {
      options: listening,
      run: async (call) => call.handlers.healthcheck(readHealthcheckOptions(call)),
    },
  },
  {
    name: 'shutdown',
    phrase: 'let the retiring shard finish its jobs and stop it',
    example: drainLonger,
  },
  {
    name: 'bake',
    phrase: "watch the promoted shard under customers' jobs; a bad one is taken back",
    example: '--set bake.for=1h',
  },
  {
    name: 'cleanup',
    phrase: 'remove the registration and the infrastructure of the retiring shard',
    example: '--take-lock',
  },
  {
    name: 'finalize',
    phrase: 'do whatever is left from shutdown and cleanup, or say why nothing is',
    example: drainLonger,
    alone: 'finalize --all',
    own: { options: [all], run: runFinalize },
  },
  {
    name: 'deploy',
    phrase: 'all stages in turn, for a terminal',
    example: proveLonger,
    own: {
      options: [again],
      run: async (call) => call.handlers.deploy(readBeginningOptions(call)),
    },
  },
];

export const stageCommands: readonly CommandDefinition[] = stages.map((stage) => {
  const { name, phrase, example, alone, own } = stage;
  const call = `${name} --runner linux`;
  return {
    name,
    phrase,
    group: 'Stages:',
    isOfAction: true,
    options: [...stageOptions, ...(own?.options ?? [])],
    examples: [call, `${call} ${example}`, ...(alone === undefined ? [] : [alone])],
    run: stage.own === undefined ? runPlain(stage.name) : stage.own.run,
  };
});

function runPlain(name: Plain) {
  return async (call: CommandCall) => call.handlers[name](readStage(call));
}

async function runFinalize(call: CommandCall) {
  const { given, handlers } = call;
  return given['all'] === true
    ? handlers.finalizeAll(readFinalizeAllOptions(call))
    : handlers.finalize(readStage(call));
}
