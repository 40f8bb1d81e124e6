import type { KeyName } from '../../domain/keys/key-table.ts';
import type { Problem } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';

/** A problem of keys that are fine one by one. */
export function crossKeyProblem(keys: ResolvedKeys, name: KeyName, text: string): Problem {
  return { place: keys.placeOf(name), text: `${name}: ${text}` };
}

/** A value that a weaker layer gave for another kind is left alone, not a contradiction. */
export function isMeant(keys: ResolvedKeys, name: KeyName, chooser: KeyName): boolean {
  return keys.rankOf(name) >= keys.rankOf(chooser);
}
