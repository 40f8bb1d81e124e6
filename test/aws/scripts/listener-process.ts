import { spawn } from 'node:child_process';
import { afterEach } from '@jest/globals';

const open: (() => void)[] = [];
afterEach(() => {
  for (const end of open.splice(0)) end();
});

/**
 * Returns shell commands that start no process: send SIGSTOP, and wait until the kernel has stopped
 * the process.
 */
export const stopListener = (pid: number): string =>
  `kill -STOP ${pid}; until read -r stat </proc/${pid}/stat && [ "$stat" != "\${stat#*) T }" ]; do :; done`;

/**
 * Starts a stand-in for GitHub's listener and returns its process id. The kernel itself reports
 * whether it is frozen.
 */
export function startListener(): number {
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  if (child.pid === undefined) throw new Error('sleep is not there');
  open.push(() => child.kill('SIGKILL'));
  return child.pid;
}
