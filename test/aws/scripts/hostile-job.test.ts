import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { judgeQuit } from '../../../src/adapters/aws/hosts/stop-result.ts';
import { hostCheckScript } from '../../../src/adapters/aws/scripts/host-check-script.ts';
import { quitScript } from '../../../src/adapters/aws/scripts/quit-script.ts';
import { githubHost } from '../sandbox-aws.ts';
import { startListener, stopListener } from './listener-process.ts';
import { runOnHost } from './on-a-host.ts';
import { missingShells, shells } from './shells.ts';

const record = `[2026-11-22 08:00:00Z INFO Listener] Runner is built for Linux (X64) - linux-x64.
[2026-11-22 08:00:00Z INFO Listener] RuntimeInformation: Amazon Linux 2023.
[2026-11-22 08:00:00Z INFO Listener] Version: 2.336.0
`;

/** A job of GitHub's runner owns the runner's folder; the scripts run as root. */
describe.each(shells)('a job that writes into the folder of its runner, in %s', (_, shell) => {
  let machine = '';
  const at = (...path: readonly string[]) => join(machine, ...path);
  const page = () => at('runner/_diag/Runner_20261122-080000-utc.log');
  beforeEach(() => {
    machine = mkdtempSync(join(tmpdir(), 'hostile-job-'));
    mkdirSync(at('runner/_diag'), { recursive: true });
    mkdirSync(at('runner/bin'));
    mkdirSync(at('root'));
    writeFileSync(page(), record);
    writeFileSync(at('runner/.runner'), '{ "agentName": "pink-linux-i-1" }\n');
    writeFileSync(at('runner/bin/Runner.Listener'), `#!/bin/sh\ntouch '${at('mark')}'\n`, {
      mode: 0o755,
    });
  });
  afterEach(() => rmSync(machine, { recursive: true, force: true }));

  const stubs = (pid = 4242) => ({
    sleep: '',
    journalctl: '',
    pgrep: `case "$line" in *Listener*) echo ${pid}; exit ;; esac; exit 1`,
    systemctl: `
case "$line" in
  *SIGSTOP*) ${stopListener(pid)} ;;
  *LoadState,*) printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\nRestart=no\\nMainPID=${pid}\\nWorkingDirectory=%s\\n' '${at('runner')}' ;;
esac`,
  });
  const plain = (text: string) => text;
  const check = () =>
    readReport(runOnHost(hostCheckScript(githubHost), stubs(), { shell, machine }).output, plain);
  const quit = () => {
    const ran = runOnHost(quitScript(githubHost), stubs(startListener()), { shell, machine });
    return { verdict: judgeQuit(ran.text, plain), calls: ran.calls };
  };
  /**
   * Creates a file that only root can read, and a link to it with the name of the runner's file.
   */
  const link = (path: string, text: string) => {
    writeFileSync(at('root/private'), text);
    rmSync(path);
    symlinkSync(at('root/private'), path);
  };

  test('starts nothing as root to read the runner’s version from its record', () => {
    expect(check()).toMatchObject({ version: '2.336.0', systemId: 'pink-linux-i-1', jobs: [] });
    expect(quit().verdict).toEqual({ kind: 'sent' });
    expect(existsSync(at('mark'))).toBe(false);
  });

  test('cannot make the script follow a link from .runner to a file of root', () => {
    link(at('runner/.runner'), '{ "agentName": "of-root" }\n');
    expect(check()).not.toHaveProperty('systemId');
  });

  test('cannot make the script follow a link from a page of the record to a file of root', () => {
    link(page(), record.replace('2.336.0', '9.9.9'));
    const report = check();
    expect(report.jobs).toBeUndefined();
    expect(report).not.toHaveProperty('version');
    const { verdict, calls } = quit();
    expect(verdict).toMatchObject({ kind: 'refused' });
    expect(calls.some((call) => call.includes('SIGKILL'))).toBe(false);
  });

  test('cannot make the script follow a link from the folder of the record', () => {
    renameSync(at('runner/_diag'), at('root/_diag'));
    symlinkSync(at('root/_diag'), at('runner/_diag'));
    const report = check();
    expect(report.jobs).toBeUndefined();
    expect(report).not.toHaveProperty('version');
    expect(quit().verdict).toMatchObject({ kind: 'refused' });
  });

  test('cannot block the script with a pipe that has no writer', () => {
    for (const path of [page(), at('runner/.runner')]) {
      rmSync(path);
      spawnSync('mkfifo', [path]);
    }
    const report = check();
    expect(report.jobs).toBeUndefined();
    expect(report).not.toHaveProperty('systemId');
  });
});

for (const [name, [path]] of missingShells) {
  // biome-ignore lint/suspicious/noSkippedTests: the shell is missing, as the name shows
  test.skip(`shell ${name} (not found: ${path})`, () => undefined);
}
