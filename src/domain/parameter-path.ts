import type { StackSettings } from './settings.ts';

/** Returns the full name of one of the stack's parameters. */
export function parameterPath({ parameterPrefix }: StackSettings, name: string): string {
  return `${parameterPrefix}${name}`;
}
