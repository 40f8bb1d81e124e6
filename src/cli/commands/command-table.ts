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
 * The one table of commands, in the order of the help. The parser, the help, what is known by name,
 * what the action takes and what is recorded are read from it.
 */
export const commandTable: readonly CommandDefinition[] = [
  ...setupCommands,
  sandboxCommand,
  ...stageCommands,
  ...operatorCommands,
  version,
];

/** What can be typed first. */
export const commandNames: readonly string[] = [...commandTable.map(({ name }) => name), 'help'];

/** What GitHub's action can be asked for. */
export const actionStages: readonly string[] = commandTable
  .filter(({ isOfAction }) => isOfAction === true)
  .map(({ name }) => name);

export function findCommand(name: string | undefined): CommandDefinition | undefined {
  return commandTable.find((command) => command.name === name);
}
