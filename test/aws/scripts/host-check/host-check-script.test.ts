import { describe, expect, test } from '@jest/globals';
import {
  judgeVerification,
  parseHostOutput,
} from '../../../../src/adapters/aws/hosts/host-output.ts';
import { readReport } from '../../../../src/adapters/aws/hosts/host-report.ts';
import { hostCheckScript } from '../../../../src/adapters/aws/scripts/host-check-script.ts';
import { verifyScript } from '../../../../src/adapters/aws/scripts/verify-script.ts';
import type { HostSettings } from '../../../../src/domain/settings.ts';
import { dockerHost, systemdHost } from '../../sandbox-aws.ts';
import { answering, curl, docker } from '../host-check-stubs.ts';
import { runOnHost } from '../on-a-host.ts';

const plain = (text: string) => text;

function checkedAt(
  version: string,
  inspected = 'running always ',
  settings: HostSettings = dockerHost,
) {
  const stubs = { curl: curl(version), docker: docker(inspected, version) };
  return readReport(runOnHost(hostCheckScript(settings), stubs).output, plain);
}

describe('a check of a runner', () => {
  test.each<[string, string]>([
    ['15.11.1', 'not_offered'],
    ['16.11.4', 'not_offered'],
    ['17.11.0', 'not_offered'],
    ['18.11.2', 'not_offered'],
    ['19.1.0', 'not_offered'],
    ['19.2.0', 'ready'],
    ['19.4.0', 'ready'],
  ])('reports what version %s offers', (version, ready) => {
    const { hostTimeMs = 0, ...report } = checkedAt(version);
    expect(Math.abs(hostTimeMs - Date.now())).toBeLessThan(60_000);
    expect(report).toEqual({
      kind: 'report',
      process: 'running',
      restarts: true,
      jobs: [],
      ready,
      requests: { answered: 1_200_000, refused: 3, slots: 10 },
      idleWorkers: 5,
      slots: { idle: 5, acquired: 7 },
      systemId: 's_0123456789ab',
      version,
      log: ['one line'],
    });
  });

  test.each(['starting', 'healthy', 'unhealthy'])(
    'reports the container’s own health: %s',
    (health) => {
      expect(checkedAt('19.4.0', `running always ${health}`)).toMatchObject({ health });
    },
  );

  test('reports no health and the same endpoints for a systemd unit', () => {
    const systemctl = `printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\nRestart=on-failure\\n'`;
    const stubs = {
      curl: curl('18.0.0'),
      systemctl,
      journalctl: 'echo a line',
      'gitlab-runner': "echo 'Version:      18.0.0'",
    };
    const report = readReport(runOnHost(hostCheckScript(systemdHost), stubs).output, plain);
    expect(report).toMatchObject({ process: 'running', jobs: [], ready: 'not_offered' });
    expect(report).not.toHaveProperty('health');
  });

  // systemd 255 prints properties in this order, independent of the requested order.
  test.each([
    ['inactive', 'dead\\nJob=', { process: 'stopped', restarts: false }],
    ['activating', 'auto-restart\\nJob=', { process: 'starting', restarts: true }],
    ['inactive', 'dead\\nJob=812', { process: 'starting', restarts: true }],
  ])('reports the process of a unit that is %s (%s)', (active, sub, is) => {
    const systemctl = `printf 'Restart=on-failure\\nLoadState=loaded\\nActiveState=${active}\\nSubState=${sub}\\n'`;
    const stubs = {
      curl: 'exit 7',
      systemctl,
      journalctl: 'echo a line',
      'gitlab-runner': 'exit 1',
    };
    const { output, calls } = runOnHost(hostCheckScript(systemdHost), stubs);
    const report = readReport(output, plain);
    expect(calls.find((call) => call.startsWith('systemctl show'))).toContain(',Job ');
    expect(report).toMatchObject(is);
  });

  test('reports nothing about idle workers without idle metrics', () => {
    const stubs = { curl: 'exit 7', docker: docker('running always ', '17.0.0') };
    const report = readReport(runOnHost(hostCheckScript(dockerHost), stubs).output, plain);
    expect(report).not.toHaveProperty('idleWorkers');
    expect(report.jobs).toBeUndefined();
    expect(report.listener).toBe('off');
  });

  test.each<[string, string, string | undefined]>([
    ['refuses the connection', 'exit 7', 'off'],
    ['times out', 'exit 28', undefined],
    ['is missing', 'exit 127', undefined],
  ])('reports a listener as off by a refused connection alone: curl %s', (_, command, expected) => {
    const stubs = { curl: command, docker: docker('running always ', '17.0.0') };
    expect(readReport(runOnHost(hostCheckScript(dockerHost), stubs).output, plain).listener).toBe(
      expected,
    );
  });

  test.each<[string, string, Readonly<Record<string, number>> | undefined]>([
    ['several states', 'acquired"} 2\nS="unhealthy"} 3', { acquired: 2, unhealthy: 3 }],
    ['a number of a million', 'idle"} 1.2e+06', { idle: 1_200_000 }],
    ['a value that is not a number', 'idle"} NaN', undefined],
  ])('reports slots by their state: %s', (_, text, expected) => {
    const series = text.replaceAll('S=', 'fleeting_taskscaler_tasks{runner="a",state=');
    const answers = `case "$line" in */metrics) cat <<'END'
fleeting_taskscaler_tasks{runner="a",state="${series}
END
;; *) exit 7 ;; esac`;
    const stubs = { curl: answering(answers), docker: docker('running always ', '17.0.0') };
    const { slots } = readReport(runOnHost(hostCheckScript(dockerHost), stubs).output, plain);
    expect(slots).toEqual(expected);
  });

  const states = (idle: number, running: number) =>
    `gitlab_runner_autoscaling_machine_states{executor="docker+machine",state="idle"} ${idle}
gitlab_runner_autoscaling_machine_states{executor="docker+machine",state="running"} ${running}`;

  // executors/docker/machine/collector.go registers them for every runner.
  test.each<[string, string, number | undefined]>([
    ['all 0: no docker-machine exists, and nothing is known', states(0, 0), undefined],
    ['machines without an idle one', states(0, 2), 0],
    ['machines with some idle ones', states(3, 2), 3],
  ])('reports the machine states: %s', (_, metrics, expected) => {
    const answers = `case "$line" in */metrics) cat <<'END'
${metrics}
END
;; *) exit 7 ;; esac`;
    const stubs = { curl: answering(answers), docker: docker('running always ', '17.0.0') };
    expect(
      readReport(runOnHost(hostCheckScript(dockerHost), stubs).output, plain).idleWorkers,
    ).toBe(expected);
  });
});

describe('the gRPC wrapper', () => {
  const settings = { ...dockerHost, wrapper: 'tcp://localhost:7777' };
  const wrapped = (bytes: string, wrapper = settings.wrapper) => {
    const answers = `case "$line" in *ProcessWrapper/CheckStatus) ${bytes} ;; *) ${curl('19.4.0')} ;; esac`;
    const stubs = { curl: answers, docker: docker('running always ', '19.4.0') };
    const ran = runOnHost(hostCheckScript({ ...settings, wrapper }), stubs);
    return { report: readReport(ran.output, plain), calls: ran.calls };
  };

  test.each<[string, string, string | undefined, string]>([
    ['runs', String.raw`printf '\000\000\000\000\002\010\001'`, 'running', 'running'],
    ['shuts down', String.raw`printf '\000\000\000\000\002\010\002'`, 'in_shutdown', 'quitting'],
    ['has stopped', String.raw`printf '\000\000\000\000\002\010\003'`, 'stopped', 'stopped'],
    [
      'has stopped, with a reason',
      String.raw`printf '\000\000\000\000\005\010\003\022\001x'`,
      'stopped',
      'stopped',
    ],
    ['does not know', String.raw`printf '\000\000\000\000\000'`, 'unknown', 'running'],
    ['speaks no gRPC', `echo '<html>'`, undefined, 'running'],
    ['is cut off', String.raw`printf '\000\000\000\000\002\010'`, undefined, 'running'],
    ['does not respond', 'exit 7', undefined, 'running'],
    [
      'returns an unknown status',
      String.raw`printf '\000\000\000\000\002\010\011'`,
      undefined,
      'running',
    ],
  ])('reports its state: it %s', (_, bytes, wrapper, process) => {
    const { report } = wrapped(bytes);
    expect({ wrapper: report.wrapper, process: report.process }).toEqual({ wrapper, process });
  });

  test.each([
    ['tcp://localhost:7777', 'http://localhost:7777/', undefined],
    ['unix:///run/wrapper.sock', 'http://localhost/', '/run/wrapper.sock'],
  ])('responds at %s', (address, url, socket) => {
    const { calls } = wrapped('exit 7', address);
    const [call = ''] = calls.filter((one) => one.includes('CheckStatus'));
    expect(call).toContain(
      `${url}gitlab_com.gitlab_runner.runner_wrapper.ProcessWrapper/CheckStatus`,
    );
    expect(/--unix-socket (\S+)/.exec(call)?.[1]).toBe(socket);
  });
});

describe('the clock of a host', () => {
  const second = 1_800_000_000;
  const off = (from: number, to: number) => {
    const output = parseHostOutput(`inspect_code=0\ninspect=running no\nclock=${second}\nend=1`);
    return readReport(output, plain, { from, to }).clockOffMs;
  };

  test.each<[string, number, number, number]>([
    ['right within the uncertainty', -3000, 3000, 0],
    ['right within its own second', 900, 3000, 0],
    ['ahead by a certain difference', -9000, -4000, 4000],
    ['behind by a certain difference', 8000, 9000, -7000],
  ])('reports the clock: %s', (_, from, to, expected) => {
    expect(off(second * 1000 + from, second * 1000 + to)).toBe(expected);
  });
});

describe('gitlab-runner verify', () => {
  // Captured output of versions 15 to 18 and 19. The text counts, not the exit code.
  test.each<[string, string, string]>([
    ["echo 'Verifying runner... is alive  runner=abc' >&2", 'accepted', 'is alive'],
    ["echo 'Verifying runner... is valid  runner=abc' >&2", 'accepted', 'is valid'],
    [
      "echo 'ERROR: Verifying runner... is removed  runner=abc' >&2; exit 1",
      'refused',
      'is removed',
    ],
    ["echo 'ERROR: Verifying runner... is not valid' >&2; exit 1", 'refused', 'is not valid'],
    [
      "echo 'ERROR: Verifying runner... error  status=dial tcp: i/o timeout' >&2",
      'unknown',
      'error',
    ],
    ["echo 'flag provided but not defined' >&2; exit 2", 'unknown', 'flag'],
    ['true', 'unknown', 'printed nothing'],
  ])('reports the token: %s', (command, kind, words) => {
    const inContainer = { docker: `case "$line" in *verify) ${command} ;; esac` };
    const { output, calls } = runOnHost(verifyScript(dockerHost), inContainer);
    expect(judgeVerification(output, plain)).toEqual({
      kind,
      detail: expect.stringContaining(words),
    });
    expect(calls).toEqual(['docker exec gitlab-runner gitlab-runner verify']);
    const onHost = { 'gitlab-runner': `case "$line" in verify) ${command} ;; esac` };
    const plainHost = runOnHost(verifyScript(systemdHost), onHost).output;
    expect(judgeVerification(plainHost, plain).kind).toBe(kind);
  });
});
