import { type Command, Option } from 'commander';
import { readAssignment, readDeploymentId, readFilePath, readRunnerName } from './arguments.ts';
import { simulatedGitlabs } from './simulated-gitlabs.ts';

export function addOption<Value>(
  command: Command,
  { flags, description, read }: OptionDefinition<Value>,
): Command {
  const [name = flags] = flags.split(' ');
  return command.option(flags, description, (text: string) => read(text, name));
}

interface OptionDefinition<Value> {
  readonly flags: string;
  readonly description: string;
  readonly read: (text: string, from: string) => Value;
}

export function addChoice(
  command: Command,
  {
    flags,
    description,
    choices,
  }: { flags: string; description: string; choices: readonly string[] },
): Command {
  return command.addOption(new Option(flags, description).choices(choices));
}

export function addCommonOptions(command: Command): Command {
  addOption(command, {
    flags: '--config <file>',
    description: 'configuration to read (default: hosted-runners.yml)',
    read: readFilePath,
  });
  command.option(
    '--set <key=value>',
    'override a key of the configuration; may be repeated',
    (text: string, before: readonly string[] = []) => [...before, readAssignment(text, '--set')],
  );
  return addColorOption(command);
}

export function addColorOption(command: Command): Command {
  return command.option('--no-color', 'plain text, also on a terminal');
}

export function addRunnersOption(command: Command): Command {
  return addChoice(command, {
    flags: '--runners <kind>',
    description: 'whose runners are deployed (default: gitlab)',
    choices: ['gitlab', 'github'],
  });
}

export function addGitlabVersionOption(command: Command): Command {
  return addChoice(command, {
    flags: '--gitlab-version <version>',
    description: 'the GitLab that it is, as that version answers (default: 19.3)',
    choices: simulatedGitlabs,
  });
}

export function addRunnerOption(command: Command): Command {
  return addOption(command, {
    flags: '--runner <name>',
    description: 'the stack; HOSTED_RUNNER_RUNNER_NAME when absent',
    read: readRunnerName,
  });
}

export function addStageOptions(command: Command): Command {
  addRunnerOption(command);
  addCommonOptions(command);
  addOption(command, {
    flags: '--deployment <id>',
    description: "the deployment's id (default: the pipeline's own)",
    read: readDeploymentId,
  });
  command.option('--take-lock', "I have made sure that the lock's owner no longer runs");
  return addReportOptions(command);
}

export function addReportOptions(command: Command): Command {
  addOption(command, {
    flags: '--report-dir <folder>',
    description: "write the files for a CI's reports here",
    read: readFilePath,
  });
  return addOption(command, {
    flags: '--evidence-file <file>',
    description: 'append every event here as a line of JSON',
    read: readFilePath,
  });
}
