import { type KeyName, keyTable, type NamedKey } from '../../domain/keys/key-table.ts';
import { type ActionInput, actionOwnInputs } from './action-inputs.ts';

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
