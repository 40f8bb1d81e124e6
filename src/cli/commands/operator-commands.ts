import type { RegistrationId } from '../../domain/shard.ts';
import { badUsage } from '../../errors/input-errors.ts';
import {
  readEvery,
  readFilePath,
  readPort,
  readReason,
  readRegistrationId,
  readShardName,
} from '../arguments.ts';
import type { CommandCall, CommandDefinition } from '../command.ts';
import {
  allStacksOption,
  commonOptions,
  eventFileOptions,
  jsonOption,
  plainOption,
  reportedOptions,
  runnerOption,
  stageOptions,
} from '../command-options.ts';
import type { CommandExit } from '../handler-types.ts';
import {
  findRunnerName,
  oneOrAll,
  readCommon,
  readReported,
  readReports,
  readStage,
  requireOption,
  whenGiven,
} from '../option-values.ts';
import { doctorCommand, recoverCommand, recoveryGroup } from './recovery-commands.ts';

export const operatorCommands: readonly CommandDefinition[] = [
  {
    name: 'status',
    touchesNoRunner: true,
    phrase: 'both shards at a glance',
    group: recoveryGroup,
    options: [
      runnerOption,
      allStacksOption,
      jsonOption,
      { flags: '--watch', description: 'again and again until interrupted' },
      { flags: '--api', description: 'the calls to each API, too, and the limits in force' },
      plainOption,
      ...commonOptions,
      ...eventFileOptions,
    ],
    examples: ['status', 'status --runner linux --watch', 'status --json', 'status --api'],
    run: runStatus,
  },
  {
    name: 'dashboard',
    touchesNoRunner: true,
    phrase: 'every stack on one page, served on this machine only, or written to a file',
    group: recoveryGroup,
    options: [
      {
        flags: '--port <port>',
        description: 'where it is served on 127.0.0.1 (default: 8890; 0: any free one)',
        read: readPort,
      },
      {
        flags: '--every <duration>',
        description: 'how often each stack is looked at (default: 30s)',
        read: readEvery,
      },
      {
        flags: '--once <file>',
        description: 'look once, write the page here and end',
        read: readFilePath,
      },
      ...commonOptions,
    ],
    examples: ['dashboard', 'dashboard --port 0 --every 10s', 'dashboard --once public/index.html'],
    run: runDashboard,
  },
  doctorCommand,
  recoverCommand,
  {
    name: 'rollback',
    phrase: 'make the shard active again that a deployment has just replaced',
    group: recoveryGroup,
    options: [
      {
        flags: '--reason <text>',
        description: 'what was wrong, for whoever would deploy the same again',
        read: readReason,
      },
      ...stageOptions,
    ],
    examples: ['rollback --runner linux'],
    run: async (call) =>
      call.handlers.rollback({
        ...readStage(call),
        ...whenGiven('reason', call.given['reason'] as string | undefined),
      }),
  },
  {
    name: 'activate',
    phrase: 'prove a shard that was started by hand and make it active',
    group: recoveryGroup,
    options: [
      { flags: '--shard <shard>', description: 'the shard that is to serve', read: readShardName },
      {
        flags: '--registration <id>',
        description: "the runner's id in GitLab, where it does not have the shard's description",
        read: readRegistrationId,
      },
      ...stageOptions,
    ],
    examples: ['activate --runner linux --shard pink'],
    run: async (call) =>
      call.handlers.activate({
        ...readStage(call),
        shard: requireOption<string>(call, '--shard NAME'),
        ...whenGiven('registration', call.given['registration'] as RegistrationId | undefined),
      }),
  },
  {
    name: 'hold',
    phrase: 'let no stage start an effect until release; a running drain goes on',
    group: recoveryGroup,
    options: [
      {
        flags: '--reason <text>',
        description: 'why, for whoever finds the hold',
        read: readReason,
      },
      ...reportedOptions,
    ],
    examples: ['hold --runner linux --reason "AWS maintenance until noon"'],
    run: async (call) =>
      call.handlers.hold({
        ...readReported(call),
        reason: requireOption<string>(call, '--reason TEXT'),
      }),
  },
  {
    name: 'release',
    phrase: 'end a hold',
    group: recoveryGroup,
    options: reportedOptions,
    examples: ['release --runner linux'],
    run: async (call) => call.handlers.release(readReported(call)),
  },
  {
    name: 'renew',
    phrase: "store a new token for hosts of GitHub's runners, before the last one ends",
    group: recoveryGroup,
    isOfAction: true,
    options: reportedOptions,
    examples: ['renew --runner linux-large'],
    run: async (call) => call.handlers.renew(readReported(call)),
  },
];

async function runDashboard(call: CommandCall): Promise<CommandExit> {
  const { given } = call;
  const once = given['once'] as string | undefined;
  if (once !== undefined && (given['port'] !== undefined || given['every'] !== undefined)) {
    throw badUsage({
      what: 'dashboard got --once beside --port or --every: a file is not served.',
      fix: [{ say: 'See its examples', command: 'dashboard --help', isAlone: true }],
    });
  }
  return call.handlers.dashboard({
    ...readCommon(call),
    ...whenGiven('once', once),
    ...whenGiven('port', given['port'] as number | undefined),
    ...whenGiven('everyMs', given['every'] as number | undefined),
  });
}

async function runStatus(call: CommandCall): Promise<CommandExit> {
  const { given } = call;
  const all = given['all'] === true;
  if (all && given['runner'] !== undefined)
    throw oneOrAll('status got both --runner and --all.', 'status');
  return call.handlers.status({
    ...readCommon(call),
    ...readReports(call),
    ...whenGiven('runnerName', all ? undefined : findRunnerName(call)),
    json: given['json'] === true,
    watch: given['watch'] === true,
    api: given['api'] === true,
  });
}
