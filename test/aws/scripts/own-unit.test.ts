import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { judgeQuit, judgeStart, judgeStop } from '../../../src/adapters/aws/hosts/stop-result.ts';
import { hostCheckScript } from '../../../src/adapters/aws/scripts/host-check-script.ts';
import { killScript } from '../../../src/adapters/aws/scripts/kill-script.ts';
import { quitScript } from '../../../src/adapters/aws/scripts/quit-script.ts';
import { startScript } from '../../../src/adapters/aws/scripts/start-script.ts';
import { dockerHost } from '../sandbox-aws.ts';
import { runOnHost } from './on-a-host.ts';
import { missingShells, shells } from './shells.ts';

const plain = (text: string) => text;

/** Output of `systemctl show` for the unit of the reference module. */
const ofModule =
  'ExecStart={ path=/usr/bin/docker ; argv[]=/usr/bin/docker run --name gitlab-runner --network host x ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }';
const ofPackage =
  'ExecStart={ path=/usr/bin/gitlab-runner ; argv[]=/usr/bin/gitlab-runner run --config /etc/gitlab-runner/config.toml ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }';

const systemctl = (executes: string | undefined, state: string) => `
case "$line" in
  show*LoadState,ExecStart*) printf '%s\n' ${executes === undefined ? 'LoadState=not-found' : `LoadState=loaded ActiveState=${state} Restart=on-failure '${executes}'`} ;;
  show*) printf '%s\n' LoadState=loaded ActiveState=${state} MainPID=0 Restart=no ;;
esac`;
/** Stub of a container that ends at SIGTERM at once. */
const docker = (state: string) => `
case "$line" in
  update*) [ ${state} != absent ] || exit 1 ;;
  *State.Status*)
    [ ${state} != absent ] || { echo 'Error: No such object: gitlab-runner' >&2; exit 1; }
    if [ -e "$STUB/ended" ]; then state=exited; else state=${state}; fi
    case "$line" in *RestartPolicy*) echo "$state no " ;; *) echo "$state c0ffee 7" ;; esac ;;
  *--signal=TERM*) touch "$STUB/ended" ;;
esac`;
const acts = (calls: readonly string[]) =>
  calls.filter((call) => !/inspect|systemctl show|exec gitlab-runner cat|curl/.test(call));

describe.each(shells)('the scripts in %s', (_, shell) => {
  let machine = '';
  beforeEach(() => {
    machine = mkdtempSync(join(tmpdir(), 'machine-'));
  });
  afterEach(() => rmSync(machine, { recursive: true, force: true }));
  const run = (script: string, state: string, unit: string | undefined, does = 'inactive') => {
    const stubs = { docker: docker(state), systemctl: systemctl(unit, does), curl: 'exit 7' };
    const { text, calls } = runOnHost(script, stubs, { shell, machine });
    return { text, acts: acts(calls) };
  };
  const checkedAt = (state: string, systemctl: string) => {
    const stubs = { docker: docker(state), systemctl, curl: 'exit 7' };
    return readReport(
      runOnHost(hostCheckScript(dockerHost), stubs, { shell, machine }).output,
      plain,
    );
  };

  describe('a container that a unit runs', () => {
    test('starts through its unit, without a restart policy of Docker', () => {
      const ran = run(startScript(dockerHost), 'exited', ofModule);
      expect(judgeStart(ran.text, plain)).toEqual({ kind: 'started' });
      expect(ran.acts).toEqual([
        'systemctl daemon-reload',
        'systemctl enable gitlab-runner.service',
        'systemctl start gitlab-runner.service',
      ]);
    });

    test('stays untouched if it runs', () => {
      const ran = run(startScript(dockerHost), 'running', ofModule);
      expect(judgeStart(ran.text, plain)).toEqual({ kind: 'already_running' });
      expect(ran.acts).toEqual([]);
    });

    test.each([
      ['quit', quitScript(dockerHost), 'docker exec gitlab-runner sh -c'],
      ['kill', killScript(dockerHost), 'docker kill --signal=TERM gitlab-runner'],
    ])('stays down after %s: neither Docker nor its unit restarts it', (_name, script, signal) => {
      const ran = run(script, 'running', ofModule);
      expect(judgeStop(ran.text, plain).kind).toMatch(/^(?:sent|already_stopped)$/);
      expect(ran.acts.slice(0, 3)).toEqual([
        'docker update --restart=no gitlab-runner',
        'systemctl daemon-reload',
        'systemctl disable gitlab-runner.service',
      ]);
      expect(ran.acts[3]).toContain(signal);
    });

    test.each([
      ['exited', 'activating', { process: 'starting', restarts: true }],
      ['absent', 'activating', { process: 'starting', restarts: true }],
      ['exited', 'active', { process: 'stopped', restarts: true }],
      ['exited', 'inactive', { process: 'stopped', restarts: false }],
      ['absent', 'failed', { process: 'absent', restarts: false }],
      ['running', 'active', { process: 'running', restarts: true }],
    ])('%s is reported with the state of its unit: %s', (state, does, seen) => {
      expect(checkedAt(state, systemctl(ofModule, does))).toMatchObject(seen);
    });

    test('may start again if it has exited and systemd hangs', () => {
      expect(checkedAt('exited', 'exit 124').restarts).toBe(false);
      mkdirSync(join(machine, 'run/systemd/system'), { recursive: true });
      expect(checkedAt('exited', 'exit 124')).toMatchObject({ process: 'stopped', restarts: true });
    });

    test.each([
      ['quit', 'exited', quitScript(dockerHost)],
      ['quit', 'absent', quitScript(dockerHost)],
      ['kill', 'exited', killScript(dockerHost)],
      ['kill', 'absent', killScript(dockerHost)],
    ])(
      'stays down after %s between two starts, without a restart by its unit: %s',
      (_n, state, text) => {
        const ran = run(text, state, ofModule, 'activating');
        expect(judgeStop(ran.text, plain)).toEqual({ kind: 'already_stopped' });
        expect(ran.acts.filter((act) => act.startsWith('systemctl'))).toEqual([
          'systemctl daemon-reload',
          'systemctl disable gitlab-runner.service',
          'systemctl stop gitlab-runner.service',
        ]);
      },
    );
  });

  test.each([
    ['no unit of its name', undefined],
    ['a package’s unit of the same name', ofPackage],
  ])('a container beside %s is left to Docker to start', (_name, unit) => {
    const ran = run(startScript(dockerHost), 'exited', unit);
    expect(judgeStart(ran.text, plain)).toEqual({ kind: 'started' });
    expect(ran.acts).toEqual([
      'docker update --restart=always gitlab-runner',
      'docker start gitlab-runner',
    ]);
    expect(judgeQuit(run(quitScript(dockerHost), 'running', unit).text, plain).kind).toBe('sent');
    const ended = { process: 'stopped', restarts: false };
    expect(checkedAt('exited', systemctl(unit, 'activating'))).toMatchObject(ended);
  });
});

for (const [name, [path]] of missingShells) {
  // biome-ignore lint/suspicious/noSkippedTests: the shell is missing, as the name shows
  test.skip(`shell ${name} (not found: ${path})`, () => undefined);
}
