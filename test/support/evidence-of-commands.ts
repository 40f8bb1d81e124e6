import { commandNames } from '../../src/cli/commands/table.ts';

/** They touch no stack, so that there is nothing to tell of one. */
const withoutStack = new Set<string>([
  'init',
  'validate',
  'explain',
  'completion',
  'verify',
  'replay',
  'demo',
  'sandbox',
  'version',
  'help',
]);

const further: Readonly<Record<string, readonly string[]>> = {
  recover: ['--method', 'auto', '--yes'],
  activate: ['--shard', 'pink'],
  hold: ['--reason', 'a look'],
};

/** Every other command of the program's own table: a new one is in it by itself. */
export const stackCommands: readonly { name: string; args: readonly string[] }[] = commandNames
  .filter((name) => !withoutStack.has(name))
  .map((name) => ({ name, args: [name, ...(further[name] ?? [])] }));
