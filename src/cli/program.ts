import { Command } from 'commander';
import { addOperatorCommands } from './commands/operator-commands.ts';
import { addSandboxCommands } from './commands/sandbox-commands.ts';
import { addSetupCommands } from './commands/setup-commands.ts';
import { addStageCommands } from './commands/stage-commands.ts';
import type { Frame } from './frame.ts';
import { exitCodes } from './help.ts';

export interface Program extends Frame {
  readonly version: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Every command of `hosted-runner`; each ends in `finish`, or throws. */
export function defineProgram(program: Program): Command {
  const { version, write, writeError } = program;
  const root = new Command('hosted-runner')
    .description('Replaces the GitLab runners of a stack on AWS without losing a job.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: write,
      writeErr: writeError,
      // The error is thrown as well, and rendered in our own shape.
      outputError: () => {},
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  addSetupCommands(root, program);
  addSandboxCommands(root, program);
  addStageCommands(root, program);
  addOperatorCommands(root, program);
  root
    .command('version')
    .description('print the version')
    .action(() => {
      write(`${version}\n`);
      program.finish(0);
    });
  root.addHelpText('after', exitCodes);
  for (const command of root.commands) finishHelp(command);
  return root;
}

/** The list of commands shows a phrase, the command's own help a sentence and the exit codes. */
function finishHelp(command: Command): void {
  const phrase = command.description();
  if (phrase !== '') {
    command.summary(phrase).description(`${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`);
  }
  command.addHelpText('after', exitCodes);
  for (const inner of command.commands) finishHelp(inner);
}
