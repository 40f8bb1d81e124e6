import { readEvery, readHostName, readListen, readReason, readShardName } from '../arguments.ts';
import type { CommandCall, CommandDefinition, OptionDefinition } from '../command.ts';
import { stageOptions } from '../command-options.ts';
import {
  readFinalizeAllOptions,
  readHealthcheckOptions,
  readProvisionOptions,
} from '../command-values.ts';
import { readBeginningOptions, readStage } from '../option-values.ts';

interface StageText extends Pick<CommandDefinition, 'name' | 'phrase' | 'run'> {
  /** Besides those of every stage. */
  readonly options?: readonly OptionDefinition[];
  /** What somebody adds who runs it by hand. */
  readonly example: string;
  /** A call that names no stack. */
  readonly alone?: string;
}

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
    options: [again],
    run: async (call) => call.handlers.prepare(readBeginningOptions(call)),
  },
  {
    name: 'onboard',
    phrase: 'register the candidate in quarantine and store its token',
    example: '--config infra/hosted-runners.yml',
    run: async (call) => call.handlers.onboard(readStage(call)),
  },
  {
    name: 'provision',
    phrase: 'build the candidate, prove that it runs jobs, make it active',
    example: '--until healthy',
    options: [until],
    run: async (call) => call.handlers.provision(readProvisionOptions(call)),
  },
  {
    name: 'promote',
    phrase: 'make the candidate active, after an approval',
    example: proveLonger,
    run: async (call) => call.handlers.promote(readStage(call)),
  },
  {
    name: 'healthcheck',
    phrase: 'collect evidence and give a verdict; changes nothing',
    example: '--listen 127.0.0.1:8888',
    options: listening,
    run: async (call) => call.handlers.healthcheck(readHealthcheckOptions(call)),
  },
  {
    name: 'shutdown',
    phrase: 'let the retiring shard finish its jobs and stop it',
    example: drainLonger,
    run: async (call) => call.handlers.shutdown(readStage(call)),
  },
  {
    name: 'bake',
    phrase: "watch the promoted shard under customers' jobs; a bad one is taken back",
    example: '--set bake.for=1h',
    run: async (call) => call.handlers.bake(readStage(call)),
  },
  {
    name: 'cleanup',
    phrase: 'remove the registration and the infrastructure of the retiring shard',
    example: '--take-lock',
    run: async (call) => call.handlers.cleanup(readStage(call)),
  },
  {
    name: 'finalize',
    phrase: 'do whatever is left from shutdown and cleanup, or say why nothing is',
    example: drainLonger,
    alone: 'finalize --all',
    options: [all],
    run: runFinalize,
  },
  {
    name: 'deploy',
    phrase: 'all stages in turn, for a terminal',
    example: proveLonger,
    options: [again],
    run: async (call) => call.handlers.deploy(readBeginningOptions(call)),
  },
];

export const stageCommands: readonly CommandDefinition[] = stages.map(
  ({ example, alone, options = [], ...stage }) => {
    const call = `${stage.name} --runner linux`;
    return {
      ...stage,
      group: 'Stages:',
      isOfAction: true,
      options: [...stageOptions, ...options],
      examples: [call, `${call} ${example}`, ...(alone === undefined ? [] : [alone])],
    };
  },
);

async function runFinalize(call: CommandCall) {
  const { given, handlers } = call;
  return given['all'] === true
    ? handlers.finalizeAll(readFinalizeAllOptions(call))
    : handlers.finalize(readStage(call));
}
