import type { Process } from '../../actions.ts';
import type { CommandExit, DemoOptions } from '../../cli/actions.ts';

export function runDemo(_options: DemoOptions & { process: Process }): Promise<CommandExit> {
  return Promise.reject(new Error('not built yet'));
}
