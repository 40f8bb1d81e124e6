import type { Inside } from '../inside.ts';
import type { CallResult } from './calls.ts';
import { curl } from './curl.ts';
import { docker } from './docker.ts';
import { gitlabRunner } from './gitlab-runner.ts';
import { journalctl, systemctl } from './systemctl.ts';

/** Handles one call of a shim. */
export async function runMachineCommand(
  inside: Inside,
  [name, ...words]: readonly string[],
): Promise<CallResult> {
  switch (name) {
    case 'docker':
      return docker(inside, words);
    case 'systemctl':
      return systemctl(inside, words);
    case 'journalctl':
      return journalctl(inside, words);
    case 'curl':
      return curl(inside, words);
    case 'pgrep':
      return pgrep(inside, words);
    case 'gitlab-runner':
      return gitlabRunner(inside, words);
    default:
      // The command would reach processes of the real computer.
      return { code: 1, err: `${name ?? ''}: not allowed on a machine of the sandbox\n` };
  }
}

/** Finds the listener and the processes of jobs, the only processes that scripts search for. */
function pgrep({ unit }: Inside, words: readonly string[]): CallResult {
  const pattern = words.at(-1) ?? '';
  const listener = unit?.pid === undefined || !pattern.includes('Listener') ? [] : [unit.pid];
  const workers = pattern.includes('Worker') ? (unit?.workers ?? []) : [];
  const found = [...listener, ...workers];
  return found.length === 0
    ? { code: 1 }
    : { code: 0, out: found.map((pid) => `${pid}\n`).join('') };
}
