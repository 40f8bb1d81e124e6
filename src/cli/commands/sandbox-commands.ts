import type { Command } from 'commander';
import type { Shard } from '../../domain/shard.ts';
import type { CommandExit, SandboxShardOptions } from '../actions.ts';
import { readFilePath, readPort, readShard, readUrl } from '../arguments.ts';
import { examples, type Frame, onRun } from '../frame.ts';
import { requireOption, stackOptions, whenGiven } from '../given.ts';
import {
  addColorOption,
  addGitlabVersionOption,
  addOption,
  addRunnerOption,
  addRunnersOption,
} from '../options.ts';
import type { SimulatedGitlab } from '../simulated-gitlabs.ts';

export function addSandboxCommands(program: Command, frame: Frame): void {
  const sandbox = program
    .command('sandbox')
    .description('serve a small real world (GitLab, Parameter Store, hosts) until interrupted')
    .helpGroup('Getting started:')
    .enablePositionalOptions();
  addOption(sandbox, {
    flags: '--folder <folder>',
    description: 'where its state is kept, so that it can be stopped and started again',
    read: readFilePath,
  });
  addOption(sandbox, {
    flags: '--port <port>',
    description: 'port on loopback; 0 takes any free one',
    read: readPort,
  });
  addOption(sandbox, {
    flags: '--forward-ssm <url>',
    description: 'send Parameter Store requests to this emulator',
    read: readUrl,
  });
  addOption(sandbox, {
    flags: '--runner-binary <path>',
    description: 'start this released gitlab-runner on the hosts, with the shell executor',
    read: readFilePath,
  });
  addRunnersOption(sandbox);
  addGitlabVersionOption(sandbox);
  addColorOption(sandbox);
  onRun(frame, sandbox, (given) =>
    frame.actions.sandbox({
      ...whenGiven('folder', given['folder'] as string | undefined),
      ...whenGiven('port', given['port'] as number | undefined),
      ...whenGiven('runnerBinary', given['runnerBinary'] as string | undefined),
      ...whenGiven('forwardSsm', given['forwardSsm'] as string | undefined),
      runners: (given['runners'] as 'gitlab' | 'github' | undefined) ?? 'gitlab',
      ...whenGiven('gitlabVersion', given['gitlabVersion'] as SimulatedGitlab | undefined),
      color: given['color'] !== false,
    }),
  );
  sandbox.addHelpText(
    'after',
    examples(
      'sandbox',
      'sandbox --folder .hosted-runner --port 8765',
      'sandbox --gitlab-version 17.5',
    ),
  );
  addShardCommand(sandbox, frame, {
    name: 'apply',
    description: 'build a shard in the sandbox; for infrastructure.apply',
    run: (options) => frame.actions.sandboxApply(options),
  });
  addShardCommand(sandbox, frame, {
    name: 'destroy',
    description: 'destroy a shard in the sandbox; for infrastructure.destroy',
    run: (options) => frame.actions.sandboxDestroy(options),
  });
  addManager(sandbox, frame);
}

function addShardCommand(
  sandbox: Command,
  frame: Frame,
  definition: {
    readonly name: string;
    readonly description: string;
    readonly run: (options: SandboxShardOptions) => Promise<CommandExit>;
  },
): void {
  const command = sandbox.command(definition.name).description(definition.description);
  addRunnerOption(command);
  addOption(command, { flags: '--shard <shard>', description: 'the shard', read: readShard });
  onRun(frame, command, async (given) =>
    definition.run({
      runnerName: stackOptions(frame, given, command).runnerName,
      shard: requireOption<Shard>(command, given, '--shard NAME'),
    }),
  );
  const call = `sandbox ${definition.name} --runner linux --shard pink`;
  command.addHelpText('after', examples(call));
}

function addManager(sandbox: Command, frame: Frame): void {
  const command = sandbox
    .command('manager', { hidden: true })
    .argument('[arguments...]')
    .allowUnknownOption()
    .helpOption(false);
  onRun(frame, command, () => frame.actions.sandboxManager(command.args));
}
