import { jsonDocument } from '../../domain/output-schema.ts';
import type { CommandDefinition } from '../command.ts';
import { colorOption, jsonOption } from '../command-options.ts';
import { operatorCommands } from './operator-commands.ts';
import { sandboxCommand } from './sandbox-commands.ts';
import { setupCommands } from './setup-commands.ts';
import { stageCommands } from './stage-commands.ts';

const version: CommandDefinition = {
  name: 'version',
  phrase: 'print the version',
  options: [jsonOption, colorOption],
  examples: [],
  isLocal: true,
  run: async (call) => {
    const { version } = call;
    call.write(call.given['json'] === true ? jsonDocument({ version }) : `${version}\n`);
    return 0;
  },
};

/**
 * All commands in the order of the help. Parser, help, suggestions, the action's stages and
 * recording use this table.
 */
export const commandTable: readonly CommandDefinition[] = [
  ...setupCommands,
  sandboxCommand,
  ...stageCommands,
  ...operatorCommands,
  version,
];

/** Words that may come first on the command line. */
export const commandNames: readonly string[] = [...commandTable.map(({ name }) => name), 'help'];

/** Stages of the GitHub action. */
export const actionStages: readonly string[] = commandTable
  .filter(({ isOfAction }) => isOfAction === true)
  .map(({ name }) => name);

export function findCommand(name: string | undefined): CommandDefinition | undefined {
  return commandTable.find((command) => command.name === name);
}
