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
  /** Options in addition to those of every stage. */
  readonly options?: readonly OptionDefinition[];
  /** Options of an example for a manual run. */
  readonly example: string;
  /** Example without a stack. */
  readonly alone?: string;
}

const drainLonger = '--set drain.timeout=2h';
const proveLonger = '--set healthcheck.timeout=30m';

const until: OptionDefinition = {
  flags: '--until <phase>',
  description:
    'healthy: stop when the candidate is healthy, for an approval; promoted: also make it active (default: as recorded for the deployment, else promoted)',
  choices: ['healthy', 'promoted'],
};

const listening: readonly OptionDefinition[] = [
  {
    flags: '--listen <address>',
    description:
      'publish the verdict at this address (/health, /live, /metrics); no canary is started',
    read: readListen,
  },
  {
    flags: '--allow-host <name>',
    description: 'with --listen: also accept requests for this host name; may be repeated',
    many: true,
    read: readHostName,
  },
  {
    flags: '--once',
    description: 'check once; with --listen: query the endpoint that already runs at that address',
  },
  {
    flags: '--shard <shard>',
    description: 'with --listen or --once: check this shard instead of the active one',
    read: readShardName,
  },
  {
    flags: '--every <duration>',
    description: 'with --listen: interval between checks (default: 30s)',
    read: readEvery,
  },
];

const again: OptionDefinition = {
  flags: '--again <reason>',
  description:
    'deploy for this reason, although the same configuration was rolled back (default: value of HOSTED_RUNNER_AGAIN)',
  read: readReason,
};

const all: OptionDefinition = {
  flags: '--all',
  description: 'finalize all stacks of the configuration, independently of each other',
};

/** Stages in the order of a pipeline. */
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
    phrase: 'register a runner for the candidate, without production tags, and store its token',
    example: '--config infra/hosted-runners.yml',
    run: async (call) => call.handlers.onboard(readStage(call)),
  },
  {
    name: 'provision',
    phrase: 'build the candidate, verify that it runs jobs, and make it active',
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
    phrase:
      'collect evidence and report whether the shard is healthy; may start a canary (a test job)',
    example: '--listen 127.0.0.1:8888',
    options: listening,
    run: async (call) => call.handlers.healthcheck(readHealthcheckOptions(call)),
  },
  {
    name: 'shutdown',
    phrase: 'let the retiring shard finish its jobs, then stop it',
    example: drainLonger,
    run: async (call) => call.handlers.shutdown(readStage(call)),
  },
  {
    name: 'bake',
    phrase: 'check the promoted shard while it runs customer jobs; roll back if it is bad',
    example: '--set bake.for=1h',
    run: async (call) => call.handlers.bake(readStage(call)),
  },
  {
    name: 'cleanup',
    phrase: 'remove the runner and the infrastructure of the retiring shard',
    example: '--take-lock',
    run: async (call) => call.handlers.cleanup(readStage(call)),
  },
  {
    name: 'finalize',
    phrase: 'finish shutdown and cleanup; if there is nothing to do, report the reason',
    example: drainLonger,
    alone: 'finalize --all',
    options: [all],
    run: runFinalize,
  },
  {
    name: 'deploy',
    phrase: 'run all stages in turn, from a terminal',
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
