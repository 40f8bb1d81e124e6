import { commandNames } from '../../src/cli/commands/command-table.ts';

/**
 * Commands without an event file. They touch no stack, or they run until closed, like the
 * dashboard, whose page is the result.
 */
const withoutEvents = new Set<string>([
  'dashboard',
  'init',
  'validate',
  'setup',
  'check-document',
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

/** All other commands of the program's table, including new ones. */
export const stackCommands: readonly { name: string; args: readonly string[] }[] = commandNames
  .filter((name) => !withoutEvents.has(name))
  .map((name) => ({ name, args: [name, ...(further[name] ?? [])] }));
