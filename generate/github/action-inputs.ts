import { type ActionInput, actionOwnInputs } from '../../src/cli/github-action/action-inputs.ts';
import { addresses } from '../../src/config/rules/authority.ts';
import { type KeyName, keyTable, type NamedKey } from '../../src/domain/keys/key-table.ts';

export type { ActionInput };

/** The action's inputs: its own, and the keys of the configuration that a pipeline gives. */
export function listActionInputs(): readonly ActionInput[] {
  const keys = keyTable.filter(({ pipeline }) => pipeline === true);
  return [...actionOwnInputs, ...keys.map(fromKey)];
}

function authorityOf(name: KeyName): string {
  return addresses.includes(name)
    ? 'may repeat the file and say nothing else, because a token goes there.'
    : 'goes before the file, unless the file locks the key.';
}

function fromKey({ input, name, description, otherwise, ...one }: NamedKey): ActionInput {
  const usual = one.default === undefined ? otherwise : String(one.default);
  return {
    name: input,
    description: `${description} The key ${name}; ${authorityOf(name)}`,
    ...(usual === undefined ? {} : { usual }),
    where: ['action', 'workflow'],
  };
}
