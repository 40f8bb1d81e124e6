import type { CallResult } from './calls.ts';
import { curl } from './curl.ts';
import { docker } from './docker.ts';
import type { Inside } from './inside.ts';
import { journalctl, systemctl } from './systemctl.ts';

/** Answers one call of a shim. */
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
    case 'gitlab-runner':
      return gitlabRunner(inside, words[0] ?? '');
    default:
      // Such a command would reach processes of the real computer.
      return { code: 1, err: `${name ?? ''}: not allowed on a machine of the sandbox\n` };
  }
}

function gitlabRunner(inside: Inside, verb: string): CallResult {
  const version = inside.behaviour.runnerVersion;
  if (verb === '--version' || verb === '-v') {
    return {
      code: 0,
      out: `Version:      ${version}\nGit revision: sandbox0\nOS/Arch:      linux/amd64\n`,
    };
  }
  if (verb === 'status') {
    const running = inside.unit?.isRunning === true;
    return {
      code: running ? 0 : 1,
      out: `gitlab-runner: Service is ${running ? '' : 'not '}running\n`,
    };
  }
  return { code: 1, err: `gitlab-runner: '${verb}' is not answered in the sandbox\n` };
}
