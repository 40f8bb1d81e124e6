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
    phrase: 'show both shards',
    group,
    options: [
      runnerOption,
      allStacksOption,
      jsonOption,
      { flags: '--watch', description: 'repeat until interrupted' },
      { flags: '--api', description: 'also show the calls to each API, and the limits in force' },
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
    phrase: 'show every stack on one page (for this machine only), or write the page to a file',
    group,
    options: [
      {
        flags: '--port <port>',
        description: 'port on 127.0.0.1 (default: 8890; 0: any free port)',
        read: readPort,
      },
      {
        flags: '--every <duration>',
        description: 'interval between checks of a stack (default: 30s)',
        read: readEvery,
      },
      {
        flags: '--once <file>',
        description: 'check once, write the page to this file and exit',
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
    phrase: 'compare all sources; show contradictions and the next command',
    group,
    options: [
      runnerOption,
      allStacksOption,
      jsonOption,
      {
        flags: '--logs',
        description: "also show the last lines of the managers' logs (read with Run Command)",
      },
      {
        flags: '--fix',
        description: 'repair problems that need no decision; the plan is shown first',
      },
      { flags: '--yes', description: 'carry out the plan of --fix without a prompt' },
      plainOption,
      ...commonOptions,
      ...eventFileOptions,
    ],
    examples: ['doctor --runner linux', 'doctor --runner linux --logs', 'doctor --all --json'],
    run: async (call) => call.handlers.doctor(readDoctorOptions(call)),
  },
  {
    name: 'recover',
    phrase: 'repair or remove a failed candidate',
    group,
    options: [
      {
        flags: '--method <method>',
        description:
          "rerun: run provision; cleanup: remove the candidate, then run provision; replace: rebuild the candidate's manager, then run provision; terminate: terminate its instance, then run provision; auto: use the easiest method that can help",
        choices: ['rerun', 'cleanup', 'replace', 'terminate', 'auto'] satisfies (
          | RecoveryMethod
          | 'auto'
        )[],
      },
      {
        flags: '--address <address>',
        description:
          'with replace: address of the resource to rebuild instead of the manager; may be repeated',
        read: readAddress,
        many: true,
      },
      {
        flags: '--instance <id>',
        description:
          "with terminate: the instance to terminate, if several have the shard's Name tag",
        read: readInstance,
      },
      {
        flags: '--although-nothing-serves',
        description:
          'if no shard is verified, allow the removal of a shard that might accept jobs (the candidate; after the promotion, the retiring shard); default method: cleanup',
      },
      {
        flags: '--yes',
        description: 'do not prompt for the name of the shard; required without a terminal',
      },
      ...stageOptions,
    ],
    examples: ['recover --runner linux --method auto', 'recover --runner linux --method cleanup'],
    run: async (call) => call.handlers.recover(readRecoverOptions(call)),
  },
  {
    name: 'rollback',
    phrase: 'make the previous shard active again, after a deployment has replaced it',
    group,
    options: [
      {
        flags: '--reason <text>',
        description: 'the reason, shown if the same configuration is deployed again',
        read: readReason,
      },
      ...stageOptions,
    ],
    examples: ['rollback --runner linux'],
    run: async (call) => call.handlers.rollback(readRollbackOptions(call)),
  },
  {
    name: 'activate',
    phrase: 'verify a shard that was started by hand and make it active',
    group,
    options: [
      { flags: '--shard <shard>', description: 'the shard to make active', read: readShardName },
      {
        flags: '--registration <id>',
        description: "the runner's id in GitLab, if the runner lacks the shard's description",
        read: readRegistrationId,
      },
      ...stageOptions,
    ],
    examples: ['activate --runner linux --shard pink'],
    run: async (call) => call.handlers.activate(readActivateOptions(call)),
  },
  {
    name: 'hold',
    phrase:
      'stop all stages before their next change, until you run release; a running drain continues',
    group,
    options: [
      {
        flags: '--reason <text>',
        description: 'the reason, shown with the hold',
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
    phrase: 'store a new token for hosts of GitHub runners before the current token expires',
    group,
    isOfAction: true,
    options: reportedOptions,
    examples: ['renew --runner linux-large'],
    run: async (call) => call.handlers.renew(readReported(call)),
  },
];
