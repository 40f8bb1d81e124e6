import type { StackSettings } from './settings.ts';

/** The full name of one of the stack's own parameters, as it is typed. */
export function parameterPath({ parameterPrefix }: StackSettings, name: string): string {
  return `${parameterPrefix}${name}`;
}
