import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readReport } from '../../../../src/adapters/aws/hosts/host-report.ts';
import { hostCheckScript } from '../../../../src/adapters/aws/scripts/host-check-script.ts';
import type { HostSettings } from '../../../../src/domain/settings.ts';
import { dockerHost, githubHost, systemdHost } from '../../sandbox-aws.ts';
import { answering, docker } from '../host-check-stubs.ts';
import { runOnHost } from '../on-a-host.ts';
import { missingShells, shells } from '../shells.ts';

const plain = (text: string) => text;
const systemctl = `printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\nRestart=no\\n'`;
const pauses = (calls: readonly string[]) => calls.filter((call) => call === 'sleep 0.5').length;

/**
 * Shell scripts that print the runner's jobs and state after a number of pauses. `$STUB/pauses` has
 * a line for each.
 */
interface Runner {
  readonly jobs: string;
  readonly state?: string;
}
const counting = 'paused=0; while read -r _; do paused=$((paused + 1)); done <"$STUB/pauses"';
const page = (body: string, header = 'X: y') =>
  `printf 'HTTP/1.1 200 OK\\r\\n${header}\\r\\n\\r\\n'; ${body}`;
const bare = (page: string) => page.replace(/^printf [^;]*; /, '');

function curlOf({ jobs, state = 'printf running' }: Runner): string {
  const list = page(jobs, 'X-List-Version: 2');
  const formatCase = (form: (text: string) => string) =>
    `case "$line" in */process/state) ${form(page(state))} ;; */jobs/list) ${form(list)} ;; *) exit 7 ;; esac`;
  // Only requests of the check itself include headers.
  return `${counting}\ncase "$line" in *--include*) ${answering(formatCase((text) => text))} ;; esac\n${answering(formatCase(bare))}`;
}

describe.each(shells)('a check that waits on the host, in %s', (_, shell) => {
  function waited(settings: HostSettings, runner: Runner, waitSeconds = 10) {
    const stubs = {
      curl: curlOf(runner),
      docker: docker('running always ', '19.4.0'),
      systemctl,
      journalctl: '',
      'gitlab-runner': 'exit 1',
      sleep: 'echo >>"$STUB/pauses"',
    };
    const script = `: >"$STUB/pauses"\n${hostCheckScript(settings, waitSeconds)}`;
    const { output, calls } = runOnHost(script, stubs, { shell });
    return { report: readReport(output, plain), pauses: pauses(calls) };
  }
  const job = 'echo url=https://gitlab.example.com/a/-/jobs/1';

  test.each([
    ['a container', dockerHost],
    ['a unit', systemdHost],
  ])('returns once the last job of %s has ended', (_name, settings) => {
    const found = waited(settings, { jobs: `[ $paused -ge 3 ] || ${job}` });
    expect(found).toMatchObject({ report: { process: 'running', jobs: [] }, pauses: 3 });
  });

  test('returns at its limit while a job runs', () => {
    const found = waited(dockerHost, { jobs: job }, 4);
    expect(found).toMatchObject({ report: { jobs: [expect.any(String)] }, pauses: 8 });
  });

  test.each<[string, Runner]>([
    ['has no job', { jobs: ':' }],
    ['refuses the connection', { jobs: 'exit 7' }],
    ['breaks off', { jobs: `${job}; exit 18` }],
  ])('returns at once while the list %s', (_name, runner) => {
    const found = waited(dockerHost, runner);
    expect(found.pauses).toBe(0);
    if (runner.jobs !== ':') expect(found.report.jobs).toBeUndefined();
  });

  test.each([
    ['changes', 'if [ $paused -ge 2 ]; then printf graceful-shutdown; else printf running; fi'],
    ['is no longer reported', 'if [ $paused -ge 2 ]; then exit 7; else printf running; fi'],
  ])('returns once the state of the process %s', (_name, state) => {
    const found = waited(dockerHost, { jobs: job, state });
    expect(found).toMatchObject({ report: { jobs: [expect.any(String)] }, pauses: 2 });
  });

  test('waits for a runner before 19.1, which reports no state', () => {
    const found = waited(dockerHost, { jobs: `[ $paused -ge 2 ] || ${job}`, state: 'exit 7' });
    expect(found).toMatchObject({ report: { jobs: [] }, pauses: 2 });
  });

  test('does not wait without a number, or with zero', () => {
    expect(waited(dockerHost, { jobs: job }, 0).pauses).toBe(0);
    const stubs = { curl: curlOf({ jobs: job }), docker: docker('running always ', '19.4.0') };
    const script = `: >"$STUB/pauses"\n${hostCheckScript(dockerHost)}`;
    expect(pauses(runOnHost(script, { ...stubs, sleep: '' }, { shell }).calls)).toBe(0);
  });

  describe('a waiting check of GitHub’s listener', () => {
    let home = '';
    beforeEach(() => {
      home = mkdtempSync(join(tmpdir(), 'listener-'));
      mkdirSync(join(home, '_diag'));
    });
    afterEach(() => rmSync(home, { recursive: true, force: true }));

    const line = {
      starts: '[2026-11-22 08:00:00Z INFO Listener] Runner is built for Linux (X64) - linux-x64.',
      message: "[2026-11-22 08:01:00Z INFO BrokerMessageListener] Message '7' received.",
    };
    function listened(workers: string, lines: readonly string[], pid = String(process.pid)) {
      const file = join(home, '_diag', 'Runner_20261122-080000-utc.log');
      writeFileSync(file, lines.map((one) => `${one}\n`).join(''));
      const stubs = {
        systemctl: `${systemctl}; printf '%s\\n' MainPID=${pid} 'WorkingDirectory=${home}'`,
        pgrep: `${counting}\n${workers}`,
        journalctl: '',
        sleep: `echo >>"$STUB/pauses"; ${counting}; [ $paused -lt 4 ] || echo '${line.starts}' >>'${file}'`,
      };
      const script = `: >"$STUB/pauses"\n${hostCheckScript(githubHost, 10)}`;
      const { output, calls } = runOnHost(script, stubs, { shell });
      return { jobs: readReport(output, plain).jobs, pauses: pauses(calls) };
    }

    test('returns once the last worker has ended', () => {
      const workers = 'if [ $paused -ge 3 ]; then exit 1; fi; echo 77';
      expect(listened(workers, [line.starts])).toEqual({ jobs: [], pauses: 3 });
    });

    test('waits while the listener holds a message without a worker', () => {
      const found = listened('exit 1', [line.starts, line.message]);
      expect(found).toEqual({ jobs: [], pauses: 4 });
    });

    test('returns at its limit while a worker lives', () => {
      expect(listened('echo 77', [line.starts])).toMatchObject({ pauses: 20 });
    });

    test('returns at once if its workers cannot be seen or its listener has gone', () => {
      expect(listened('exit 2', [line.starts])).toEqual({ jobs: undefined, pauses: 0 });
      expect(listened('echo 77', [line.starts], '999999999')).toMatchObject({ pauses: 0 });
    });
  });
});

for (const [name, [path]] of missingShells) {
  // biome-ignore lint/suspicious/noSkippedTests: the shell is missing, as the name shows
  test.skip(`shell ${name} (not found: ${path})`, () => undefined);
}
