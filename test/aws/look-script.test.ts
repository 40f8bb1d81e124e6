import { describe, expect, test } from '@jest/globals';
import { parseHostOutput } from '../../src/aws/host-output.ts';
import { readReport } from '../../src/aws/look-report.ts';
import { lookScript } from '../../src/aws/scripts/look.ts';
import { verifyScript } from '../../src/aws/scripts/verify.ts';
import { judgeVerification } from '../../src/aws/token-word.ts';
import type { HostSettings } from '../../src/domain/settings.ts';
import { createRedactor } from '../../src/transport/redaction.ts';
import { runOnHost } from './on-a-host.ts';
import { dockerHost, systemdHost } from './sandbox-aws.ts';

const plain = (text: string) => text;

/** A runner's endpoints as its version has them. */
function curl(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const has = (since: number) => major * 100 + minor >= since;
  const answer = (body: string, header = 'Content-Type: text/plain') =>
    `printf 'HTTP/1.1 200 OK\\r\\n${header}\\r\\n\\r\\n${body}'`;
  const missing = `printf 'HTTP/1.1 404 Not Found\\r\\nX: y\\r\\n\\r\\n404 page not found\\n'`;
  return `
case "$line" in
  */debug/process/state) ${has(1901) ? answer('running') : missing} ;;
  */health/ready) ${has(1902) ? answer('ready') : missing} ;;
  */debug/jobs/list) ${answer('', 'X-List-Version: 2')} ;;
  */metrics) cat <<'END'
gitlab_runner_version_info{name="gitlab-runner",version="${version}"} 1
gitlab_runner_concurrent 10
fleeting_taskscaler_tasks{runner="a",state="idle"} 3
fleeting_taskscaler_tasks{runner="b",state="idle"} 2
fleeting_taskscaler_tasks{runner="a",state="acquired"} 7
END
  ;;
  *) exit 7 ;;
esac`;
}

const docker = (inspected: string, version: string) => `
case "$line" in
  inspect*) echo '${inspected}' ;;
  *runner_system_id) echo s_0123456789ab ;;
  *--version) echo 'Version:      ${version}' ;;
  logs*) echo 'one line' ;;
esac`;

function lookedAt(
  version: string,
  inspected = 'running always ',
  settings: HostSettings = dockerHost,
) {
  const stubs = { curl: curl(version), docker: docker(inspected, version) };
  return readReport(runOnHost(lookScript(settings), stubs).output, plain);
}

describe('a look at a runner', () => {
  test.each<[string, string]>([
    ['15.11.1', 'not_offered'],
    ['16.11.4', 'not_offered'],
    ['17.11.0', 'not_offered'],
    ['18.11.2', 'not_offered'],
    ['19.1.0', 'not_offered'],
    ['19.2.0', 'ready'],
    ['19.4.0', 'ready'],
  ])('%s tells what its version has', (version, ready) => {
    expect(lookedAt(version)).toEqual({
      kind: 'report',
      process: 'running',
      restarts: true,
      jobs: [],
      ready,
      idleWorkers: 5,
      systemId: 's_0123456789ab',
      version,
      log: ['one line'],
    });
  });

  test.each(['starting', 'healthy', 'unhealthy'])(
    "tells the container's own health: %s",
    (health) => {
      expect(lookedAt('19.4.0', `running always ${health}`)).toMatchObject({ health });
    },
  );

  test('of a systemd unit has no health and the same endpoints', () => {
    const systemctl = `printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\nRestart=on-failure\\n'`;
    const stubs = {
      curl: curl('18.0.0'),
      systemctl,
      journalctl: 'echo a line',
      'gitlab-runner': "echo 'Version:      18.0.0'",
    };
    const report = readReport(runOnHost(lookScript(systemdHost), stubs).output, plain);
    expect(report).toMatchObject({ process: 'running', jobs: [], ready: 'not_offered' });
    expect(report).not.toHaveProperty('health');
  });

  test('without idle metrics says nothing of idle workers', () => {
    const stubs = { curl: 'exit 7', docker: docker('running always ', '17.0.0') };
    const report = readReport(runOnHost(lookScript(dockerHost), stubs).output, plain);
    expect(report).not.toHaveProperty('idleWorkers');
    expect(report.jobs).toBeUndefined();
  });
});

describe("the runner's log", () => {
  const logged = (script: string, curlStub = curl('19.3.0')) =>
    runOnHost(lookScript(dockerHost), {
      curl: curlStub,
      docker: `case "$line" in logs*) ${script} ;; *) ${docker('running always ', '19.3.0')} ;; esac`,
    });
  const logOf = (script: string) => readReport(logged(script).output, plain).log;

  test('is read in whole lines: the reason of a failed request stands behind byte 300', () => {
    const line = `WARNING: Checking for jobs... failed ${'x'.repeat(400)} x509: certificate signed by unknown authority`;
    expect(logOf(`echo '${line}'`)).toEqual([line]);
  });

  test('is read without its colours and its padding', () => {
    const line = String.raw`\033[31;1mERROR: Checking for jobs... forbidden            \033[0;m  \033[31;1mrunner\033[0;m=AbCdEfGhI`;
    expect(logOf(`printf '${line}\\n'`)).toEqual([
      'ERROR: Checking for jobs... forbidden runner=AbCdEfGhI',
    ]);
  });

  test('shows no token, also where it is glued to an address and divided by a colour', () => {
    const { redact } = createRedactor();
    const line = String.raw`Runner http://hostglrt-abcdefghij\033[0;m0123456789 is not healthy`;
    expect(readReport(logged(`printf '${line}\\n'`).output, redact).log).toEqual([
      'Runner http://host[MASKED] is not healthy',
    ]);
  });

  test('is as long as there is room for, its newest lines whole, and no half line', () => {
    const many = `i=1; while [ $i -le 60 ]; do printf '%s %01500d end\\n' "line-$i-" 0; i=$((i + 1)); done`;
    const { text, output } = logged(many);
    expect(text.length).toBeLessThanOrEqual(24_000);
    const { log } = readReport(output, plain);
    expect(log.length).toBeGreaterThan(10);
    expect(log.at(-1)).toMatch(/^line-60- 0+ end$/);
    for (const line of log) expect(line).toMatch(/^line-\d+- 0+ end$/);
    expect(output.complete).toBe(true);
  });

  test('leaves room for itself beside pages that are no answer of a runner', () => {
    const page = `i=1; while [ $i -le 500 ]; do printf '%0400d\\n' 0; i=$((i + 1)); done`;
    const { text, output } = logged(`echo 'the last line'`, page);
    expect(text.length).toBeLessThanOrEqual(24_000);
    expect(output.complete).toBe(true);
    expect(readReport(output, plain).log).toEqual(['the last line']);
  });

  test('may hold a carriage return', () => {
    expect(logOf(String.raw`printf 'one\rtwo\n'`)).toEqual(['onetwo']);
  });
});

describe('the gRPC wrapper', () => {
  const settings = { ...dockerHost, wrapper: 'tcp://localhost:7777' };
  const wrapped = (bytes: string, wrapper = settings.wrapper) => {
    const answers = `case "$line" in *ProcessWrapper/CheckStatus) ${bytes} ;; *) ${curl('19.4.0')} ;; esac`;
    const stubs = { curl: answers, docker: docker('running always ', '19.4.0') };
    const ran = runOnHost(lookScript({ ...settings, wrapper }), stubs);
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
    ['does not answer', 'exit 7', undefined, 'running'],
    [
      'answers a status of the future',
      String.raw`printf '\000\000\000\000\002\010\011'`,
      undefined,
      'running',
    ],
  ])('that %s', (_, bytes, wrapper, process) => {
    const { report } = wrapped(bytes);
    expect({ wrapper: report.wrapper, process: report.process }).toEqual({ wrapper, process });
  });

  test.each([
    ['tcp://localhost:7777', 'http://localhost:7777/', undefined],
    ['unix:///run/wrapper.sock', 'http://localhost/', '/run/wrapper.sock'],
  ])('is asked at %s', (address, url, socket) => {
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
    ['is right while it may be', -3000, 3000, 0],
    ['is right within its own second', 900, 3000, 0],
    ['is ahead by what is certain', -9000, -4000, 4000],
    ['is behind by what is certain', 8000, 9000, -7000],
  ])('%s', (_, from, to, expected) => {
    expect(off(second * 1000 + from, second * 1000 + to)).toBe(expected);
  });
});

describe('gitlab-runner verify', () => {
  // Captured forms: 15 to 18 and 19; the words stand, whatever the code is.
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
    ['true', 'unknown', 'said nothing'],
  ])('%s', (says, kind, words) => {
    const inContainer = { docker: `case "$line" in *verify) ${says} ;; esac` };
    const { output, calls } = runOnHost(verifyScript(dockerHost), inContainer);
    expect(judgeVerification(output, plain)).toEqual({
      kind,
      detail: expect.stringContaining(words),
    });
    expect(calls).toEqual(['docker exec gitlab-runner gitlab-runner verify']);
    const onHost = { 'gitlab-runner': `case "$line" in verify) ${says} ;; esac` };
    const plainHost = runOnHost(verifyScript(systemdHost), onHost).output;
    expect(judgeVerification(plainHost, plain).kind).toBe(kind);
  });
});
