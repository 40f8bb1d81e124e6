import type { RecoveryMethod } from '../../domain/deployment/recovery-methods.ts';
import {
  readAddress,
  readEvery,
  readFilePath,
  readInstance,
  readPort,
  readReason,
  readRegistrationId,
  readShardName,
} from '../arguments.ts';
import type { CommandDefinition } from '../command.ts';
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
import {
  readActivateOptions,
  readDashboardOptions,
  readDoctorOptions,
  readHoldOptions,
  readRecoverOptions,
  readRollbackOptions,
  readStatusOptions,
} from '../command-values.ts';
import { readReported } from '../option-values.ts';

const group = 'When something is wrong:';

export const operatorCommands: readonly CommandDefinition[] = [
  {
    name: 'status',
    touchesNoRunner: true,
    phrase: 'both shards at a glance',
    group,
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
    run: async (call) => call.handlers.status(readStatusOptions(call)),
  },
  {
    name: 'dashboard',
    touchesNoRunner: true,
    phrase: 'every stack on one page, served on this machine only, or written to a file',
    group,
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
    run: async (call) => call.handlers.dashboard(readDashboardOptions(call)),
  },
  {
    name: 'doctor',
    touchesNoRunner: true,
    phrase: 'everything side by side, what contradicts, and the next command',
    group,
    options: [
      runnerOption,
      allStacksOption,
      jsonOption,
      { flags: '--logs', description: "the last lines of the managers' logs, by Run Command" },
      { flags: '--fix', description: 'repair what has one outcome only; the plan is shown first' },
      { flags: '--yes', description: 'carry out the plan of --fix without asking' },
      plainOption,
      ...commonOptions,
      ...eventFileOptions,
    ],
    examples: ['doctor --runner linux', 'doctor --runner linux --logs', 'doctor --all --json'],
    run: async (call) => call.handlers.doctor(readDoctorOptions(call)),
  },
  {
    name: 'recover',
    phrase: 'bring a failed candidate back on its feet, or clean it up',
    group,
    options: [
      {
        flags: '--method <method>',
        description:
          'rerun: provision again; cleanup: remove the candidate; replace: build its manager anew; terminate: end its instance; auto: the first that can help. Each provisions again',
        choices: ['rerun', 'cleanup', 'replace', 'terminate', 'auto'] satisfies (
          | RecoveryMethod
          | 'auto'
        )[],
      },
      {
        flags: '--address <address>',
        description: 'with replace: build this one anew instead of the manager; may be repeated',
        read: readAddress,
        many: true,
      },
      {
        flags: '--instance <id>',
        description: 'with terminate: this one, where several have the name',
        read: readInstance,
      },
      {
        flags: '--although-nothing-serves',
        description:
          'take what cannot serve any more, because no shard is proven to serve: the candidate, or from the promotion on the shard that is retired; without --method: cleanup',
      },
      {
        flags: '--yes',
        description: 'do not ask for the shard to be typed; needed where there is no terminal',
      },
      ...stageOptions,
    ],
    examples: [
      'recover --runner linux --method auto',
      'recover --runner linux --method cleanup --yes',
    ],
    run: async (call) => call.handlers.recover(readRecoverOptions(call)),
  },
  {
    name: 'rollback',
    phrase: 'make the shard active again that a deployment has just replaced',
    group,
    options: [
      {
        flags: '--reason <text>',
        description: 'what was wrong, for whoever would deploy the same again',
        read: readReason,
      },
      ...stageOptions,
    ],
    examples: ['rollback --runner linux'],
    run: async (call) => call.handlers.rollback(readRollbackOptions(call)),
  },
  {
    name: 'activate',
    phrase: 'prove a shard that was started by hand and make it active',
    group,
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
    run: async (call) => call.handlers.activate(readActivateOptions(call)),
  },
  {
    name: 'hold',
    phrase: 'let no stage start an effect until release; a running drain goes on',
    group,
    options: [
      {
        flags: '--reason <text>',
        description: 'why, for whoever finds the hold',
        read: readReason,
      },
      ...reportedOptions,
    ],
    examples: ['hold --runner linux --reason "AWS maintenance until noon"'],
    run: async (call) => call.handlers.hold(readHoldOptions(call)),
  },
  {
    name: 'release',
    phrase: 'end a hold',
    group,
    options: reportedOptions,
    examples: ['release --runner linux'],
    run: async (call) => call.handlers.release(readReported(call)),
  },
  {
    name: 'renew',
    phrase: "store a new token for hosts of GitHub's runners, before the last one ends",
    group,
    isOfAction: true,
    options: reportedOptions,
    examples: ['renew --runner linux-large'],
    run: async (call) => call.handlers.renew(readReported(call)),
  },
];
