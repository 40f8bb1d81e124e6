import { type ActionInput, actionOwnInputs } from '../../src/cli/github-action/action-inputs.ts';
import { addresses } from '../../src/config/rules/authority.ts';
import { type KeyName, keyTable, type NamedKey } from '../../src/domain/keys/key-table.ts';

/** Input of the action or the reusable workflow; `key` names the key of the configuration. */
export interface ListedInput extends ActionInput {
  readonly key?: KeyName;
}

/**
 * Lists the action's inputs: its own, and the keys of the configuration that a pipeline may set.
 */
export function listActionInputs(): readonly ListedInput[] {
  const keys = keyTable.filter(({ pipeline }) => pipeline === true);
  return [...actionOwnInputs, ...keys.map(fromKey)];
}

/** Describes an input for a table without a column for its key. */
export function describeInput({ description, key }: Pick<ListedInput, 'description' | 'key'>) {
  if (key === undefined) return description;
  const authority = addresses.includes(key)
    ? 'may only repeat the address in the file, because that address receives the token.'
    : 'takes precedence over the file, unless the file locks the key.';
  return `${description} Key ${key}: ${authority}`;
}

function fromKey({ input, name, description, otherwise, ...one }: NamedKey): ListedInput {
  const usual = one.default === undefined ? otherwise : String(one.default);
  return {
    name: input,
    description,
    key: name,
    ...(usual === undefined ? {} : { usual }),
    where: ['action', 'workflow'],
  };
}
