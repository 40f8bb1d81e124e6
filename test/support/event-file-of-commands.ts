import { commandNames } from '../../src/cli/commands/command-table.ts';

/**
 * They touch no stack, so that there is nothing to tell of one; a dashboard looks for as long as it is
 * left open, and its page is what it tells.
 */
const withoutEvents = new Set<string>([
  'dashboard',
  'init',
  'validate',
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

/** Every other command of the program's own table: a new one is in it by itself. */
export const stackCommands: readonly { name: string; args: readonly string[] }[] = commandNames
  .filter((name) => !withoutEvents.has(name))
  .map((name) => ({ name, args: [name, ...(further[name] ?? [])] }));
