import { readFileSync, statSync } from 'node:fs';
import type { Behaviour } from './behaviour.ts';
import type { Containers } from './containers.ts';
import type { Unit } from './programs/unit.ts';
import type { ReleasedRunner } from './released-runner.ts';

/** View of a machine for its commands. */
export interface Inside {
  readonly instanceId: string;
  readonly root: string;
  readonly logFile: string;
  readonly behaviour: Behaviour;
  /** Absent until the boot reaches the runner manager. */
  readonly unit: Unit | undefined;
  /** Released gitlab-runner that replaces the sandbox's manager. */
  readonly released: ReleasedRunner | undefined;
  readonly containers: Containers;
  now(): number;
  /** Runs a script on the machine, like Run Command. */
  execute(script: string, options?: { folder?: string }): Promise<Executed>;
}

export interface Executed {
  code: number;
  out: string;
  err: string;
}

/** Name of the container and of the unit, on every machine. */
export const runnerUnitName = 'gitlab-runner';

/**
 * Matches a line of the sandbox's manager, which begins with its time. Lines of a released runner
 * have none and get the newest time.
 */
const stamped = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*)$/s;

/** Returns the last lines of the runner's log. `stamp` adds the time before each. */
export function tailLog(
  inside: Pick<Inside, 'logFile'>,
  lines: number,
  stamp: (at: string) => string = () => '',
): string {
  let text = '';
  let newest = '';
  try {
    text = readFileSync(inside.logFile, 'utf8');
    newest = statSync(inside.logFile).mtime.toISOString();
  } catch {
    return '';
  }
  const all = text.split('\n').slice(0, -1);
  return all
    .slice(-lines)
    .map((line) => {
      const [, at = newest, message = line] = stamped.exec(line) ?? [];
      return `${stamp(at)}${message}\n`;
    })
    .join('');
}

/** Parses a line count: `all`, nothing or a number. */
export function lineCount(text: string | undefined): number {
  const count = Number(text);
  return text === undefined || !Number.isInteger(count) ? Number.MAX_SAFE_INTEGER : count;
}
