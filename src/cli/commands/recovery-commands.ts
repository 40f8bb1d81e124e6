import type { Command } from 'commander';
import { badUsage } from '../../errors/input.ts';
import type { RecoverOptions } from '../actions.ts';
import { readAddress, readInstance } from '../arguments.ts';
import { examples, type Frame, type Given, onRun } from '../frame.ts';
import {
  commonOptions,
  findRunnerName,
  reportOptions,
  requireOption,
  stageOptions,
  whenGiven,
} from '../given.ts';
import {
  addChoice,
  addCommonOptions,
  addOption,
  addReportOptions,
  addRunnerOption,
  addStageOptions,
} from '../options.ts';

export const group = 'When something is wrong:';
const yesText = 'do not ask for the shard to be typed; needed where there is no terminal';

export function addDoctor(program: Command, frame: Frame): void {
  const command = program
    .command('doctor')
    .description('everything side by side, what contradicts, and the next command')
    .helpGroup(group);
  addRunnerOption(command);
  command.option('--all', 'every stack, also where HOSTED_RUNNER_RUNNER_NAME names one');
  command.option('--json', 'as JSON');
  command.option('--logs', "the last lines of the managers' logs, by Run Command");
  command.option('--fix', 'repair what has one outcome only; the plan is shown first');
  command.option('--yes', 'carry out the plan of --fix without asking');
  addCommonOptions(command);
  addReportOptions(command);
  onRun(frame, command, (given) => {
    const all = given['all'] === true;
    refuseTogether(all, given);
    return frame.actions.doctor({
      ...commonOptions(given),
      ...reportOptions(frame, given),
      ...whenGiven('runnerName', all ? undefined : findRunnerName(frame, given)),
      json: given['json'] === true,
      logs: given['logs'] === true,
      fix: given['fix'] === true,
      yes: given['yes'] === true,
    });
  });
  command.addHelpText(
    'after',
    examples('doctor --runner linux', 'doctor --runner linux --logs', 'doctor --all --json'),
  );
}

function refuseTogether(all: boolean, given: Given): void {
  if (all && given['runner'] !== undefined) {
    throw badUsage({
      what: 'The command doctor got both --runner and --all.',
      fix: [
        'One stack: hosted-runner doctor --runner NAME',
        'Every stack: hosted-runner doctor --all',
      ],
    });
  }
  if (all && given['fix'] === true) {
    throw badUsage({
      what: 'The command doctor got both --fix and --all: one stack is repaired at a time.',
      fix: ['hosted-runner doctor --fix --yes --runner NAME'],
    });
  }
}

export function addRecover(program: Command, frame: Frame): void {
  const command = program
    .command('recover')
    .description('bring a failed candidate back on its feet, or clean it up')
    .helpGroup(group);
  addChoice(command, {
    flags: '--method <method>',
    description:
      'rerun: provision again; cleanup: remove the candidate; replace: build its manager anew; terminate: end its instance; auto: the first that can help. Each provisions again',
    choices: ['rerun', 'cleanup', 'replace', 'terminate', 'auto'],
  });
  command.option(
    '--address <address>',
    'with replace: build this one anew instead of the manager; may be repeated',
    (text: string, before: readonly string[] = []) => [...before, readAddress(text, '--address')],
  );
  addOption(command, {
    flags: '--instance <id>',
    description: 'with terminate: this one, where several have the name',
    read: readInstance,
  });
  command.option(
    '--although-nothing-serves',
    'take what cannot serve any more, because no shard is proven to serve: the candidate, or from the promotion on the shard that is retired; without --method: cleanup',
  );
  command.option('--yes', yesText);
  addStageOptions(command);
  onRun(frame, command, async (given) =>
    frame.actions.recover({
      ...stageOptions(frame, given, command),
      ...readMethod(command, given),
      addresses: (given['address'] as readonly string[] | undefined) ?? [],
      ...whenGiven('instance', given['instance'] as string | undefined),
      yes: given['yes'] === true,
    }),
  );
  command.addHelpText(
    'after',
    examples(
      'recover --runner linux --method auto',
      'recover --runner linux --method cleanup --yes',
    ),
  );
}

function readMethod(command: Command, given: Given): Pick<RecoverOptions, 'method' | 'although'> {
  const flag = '--method rerun|cleanup|replace|terminate|auto';
  if (given['althoughNothingServes'] !== true)
    return { method: requireOption<RecoverOptions['method']>(command, given, flag) };
  const method = (given['method'] as RecoverOptions['method'] | undefined) ?? 'cleanup';
  if (method === 'rerun' || method === 'auto') {
    throw badUsage({
      what: `--although-nothing-serves goes with --method cleanup, replace or terminate, not with ${method}.`,
      fix: ['See its examples: hosted-runner recover --help'],
    });
  }
  return { method, although: 'nothing_serves' };
}
