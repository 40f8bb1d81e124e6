import type { RecoveryMethod } from '../../domain/deployment/recovery-methods.ts';
import { badUsage } from '../../errors/input-errors.ts';
import { readAddress, readInstance } from '../arguments.ts';
import type { CommandCall, CommandDefinition, Given } from '../command.ts';
import {
  allStacksOption,
  commonOptions,
  eventFileOptions,
  jsonOption,
  plainOption,
  runnerOption,
  stageOptions,
} from '../command-options.ts';
import type { CommandExit, RecoverOptions } from '../handler-types.ts';
import {
  findRunnerName,
  oneOrAll,
  readCommon,
  readReports,
  readStage,
  requireOption,
  whenGiven,
} from '../option-values.ts';

export const recoveryGroup = 'When something is wrong:';

export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  touchesNoRunner: true,
  phrase: 'everything side by side, what contradicts, and the next command',
  group: recoveryGroup,
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
  run: runDoctor,
};

async function runDoctor(call: CommandCall): Promise<CommandExit> {
  const { given } = call;
  const all = given['all'] === true;
  refuseTogether(all, given);
  return call.handlers.doctor({
    ...readCommon(call),
    ...readReports(call),
    ...whenGiven('runnerName', all ? undefined : findRunnerName(call)),
    json: given['json'] === true,
    logs: given['logs'] === true,
    fix: given['fix'] === true,
    yes: given['yes'] === true,
  });
}

function refuseTogether(all: boolean, given: Given): void {
  if (all && given['runner'] !== undefined)
    throw oneOrAll('The command doctor got both --runner and --all.', 'doctor');
  if (all && given['fix'] === true) {
    throw badUsage({
      what: 'The command doctor got both --fix and --all: one stack is repaired at a time.',
      fix: [{ command: 'doctor --fix', runner: 'NAME', wantsYes: true }],
    });
  }
}

export const recoverCommand: CommandDefinition = {
  name: 'recover',
  phrase: 'bring a failed candidate back on its feet, or clean it up',
  group: recoveryGroup,
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
  run: async (call) =>
    call.handlers.recover({
      ...readStage(call),
      ...readMethod(call),
      addresses: (call.given['address'] as readonly string[] | undefined) ?? [],
      ...whenGiven('instance', call.given['instance'] as string | undefined),
      yes: call.given['yes'] === true,
    }),
};

function readMethod(call: CommandCall): Pick<RecoverOptions, 'method' | 'forceWhenNothingServes'> {
  const flag = '--method rerun|cleanup|replace|terminate|auto';
  if (call.given['althoughNothingServes'] !== true)
    return { method: requireOption<RecoverOptions['method']>(call, flag) };
  const method = (call.given['method'] as RecoverOptions['method'] | undefined) ?? 'cleanup';
  if (method === 'rerun' || method === 'auto') {
    throw badUsage({
      what: `--although-nothing-serves goes with --method cleanup, replace or terminate, not with ${method}.`,
      fix: [{ say: 'See its examples', command: 'recover --help', isAlone: true }],
    });
  }
  return { method, forceWhenNothingServes: true };
}
