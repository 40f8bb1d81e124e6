import type { Command } from 'commander';
import type { RegistrationId } from '../../domain/shard.ts';
import { badUsage } from '../../errors/input.ts';
import { readReason, readRegistration, readShardName } from '../arguments.ts';
import { examples, type Frame, onRun } from '../frame.ts';
import {
  commonOptions,
  findRunnerName,
  reportOptions,
  requireOption,
  stackOptions,
  stageOptions,
  whenGiven,
} from '../given.ts';
import {
  addCommonOptions,
  addOption,
  addReportOptions,
  addRunnerOption,
  addStageOptions,
} from '../options.ts';
import { addDoctor, addRecover, group } from './recovery-commands.ts';

export function addOperatorCommands(program: Command, frame: Frame): void {
  addStatus(program, frame);
  addDoctor(program, frame);
  addRecover(program, frame);
  addRollback(program, frame);
  addActivate(program, frame);
  addHold(program, frame);
  addRelease(program, frame);
  addRenew(program, frame);
}

function addStatus(program: Command, frame: Frame): void {
  const command = program.command('status').description('both shards at a glance').helpGroup(group);
  addRunnerOption(command);
  command.option('--all', 'every stack, also where HOSTED_RUNNER_RUNNER_NAME names one');
  command.option('--json', 'as JSON');
  command.option('--watch', 'again and again until interrupted');
  addCommonOptions(command);
  addReportOptions(command);
  onRun(frame, command, (given) => {
    const all = given['all'] === true;
    if (all && given['runner'] !== undefined) {
      throw badUsage({
        what: 'status got both --runner and --all.',
        fix: [
          'One stack: hosted-runner status --runner NAME',
          'Every stack: hosted-runner status --all',
        ],
      });
    }
    return frame.actions.status({
      ...commonOptions(given),
      ...reportOptions(frame, given),
      ...whenGiven('runnerName', all ? undefined : findRunnerName(frame, given)),
      json: given['json'] === true,
      watch: given['watch'] === true,
    });
  });
  command.addHelpText(
    'after',
    examples('status', 'status --runner linux --watch', 'status --json'),
  );
}

function addRollback(program: Command, frame: Frame): void {
  const command = program
    .command('rollback')
    .description('make the shard active again that a deployment has just replaced')
    .helpGroup(group);
  addStageOptions(command);
  onRun(frame, command, (given) => frame.actions.rollback(stageOptions(frame, given, command)));
  command.addHelpText('after', examples('rollback --runner linux'));
}

function addActivate(program: Command, frame: Frame): void {
  const command = program
    .command('activate')
    .description('prove a shard that was started by hand and make it active')
    .helpGroup(group);
  addOption(command, {
    flags: '--shard <shard>',
    description: 'the shard that is to serve',
    read: readShardName,
  });
  addOption(command, {
    flags: '--registration <id>',
    description: "the runner's id in GitLab, where it does not have the shard's description",
    read: readRegistration,
  });
  addStageOptions(command);
  onRun(frame, command, async (given) =>
    frame.actions.activate({
      ...stageOptions(frame, given, command),
      shard: requireOption<string>(command, given, '--shard NAME'),
      ...whenGiven('registration', given['registration'] as RegistrationId | undefined),
    }),
  );
  command.addHelpText('after', examples('activate --runner linux --shard pink'));
}

function addHold(program: Command, frame: Frame): void {
  const command = program
    .command('hold')
    .description('let no stage start an effect until release; a running drain goes on')
    .helpGroup(group);
  addOption(command, {
    flags: '--reason <text>',
    description: 'why, for whoever finds the hold',
    read: readReason,
  });
  addRunnerOption(command);
  addCommonOptions(command);
  addReportOptions(command);
  onRun(frame, command, async (given) =>
    frame.actions.hold({
      ...stackOptions(frame, given, command),
      ...reportOptions(frame, given),
      reason: requireOption<string>(command, given, '--reason TEXT'),
    }),
  );
  command.addHelpText(
    'after',
    examples('hold --runner linux --reason "AWS maintenance until noon"'),
  );
}

function addRelease(program: Command, frame: Frame): void {
  const command = program.command('release').description('end a hold').helpGroup(group);
  addRunnerOption(command);
  addCommonOptions(command);
  addReportOptions(command);
  onRun(frame, command, async (given) =>
    frame.actions.release({
      ...stackOptions(frame, given, command),
      ...reportOptions(frame, given),
    }),
  );
  command.addHelpText('after', examples('release --runner linux'));
}

function addRenew(program: Command, frame: Frame): void {
  const command = program
    .command('renew')
    .description("store a new token for hosts of GitHub's runners, before the last one ends")
    .helpGroup(group);
  addRunnerOption(command);
  addCommonOptions(command);
  addReportOptions(command);
  onRun(frame, command, async (given) =>
    frame.actions.renew({
      ...stackOptions(frame, given, command),
      ...reportOptions(frame, given),
    }),
  );
  command.addHelpText('after', examples('renew --runner linux-large'));
}
