import type { ListedInput } from '../../src/cli/github-action/input-list.ts';
import { addresses } from '../../src/config/rules/authority.ts';

/** Describes an input for a table without a column for its key. */
export function describeInput({ description, key }: Pick<ListedInput, 'description' | 'key'>) {
  if (key === undefined) return description;
  const authority = addresses.includes(key)
    ? 'may only repeat the address in the file, because that address receives the token.'
    : 'takes precedence over the file, unless the file locks the key.';
  return `${description} Key ${key}: ${authority}`;
}
