import type { CommandExit, DemoOptions } from '../../cli/actions.ts';
import type { Program } from '../../program.ts';

export function runDemo(_options: DemoOptions & { program: Program }): Promise<CommandExit> {
  return Promise.reject(new Error('not built yet'));
}
