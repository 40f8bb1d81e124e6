import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { parseHostOutput } from '../../../src/adapters/aws/hosts/host-output.ts';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { hostCheckScript } from '../../../src/adapters/aws/scripts/host-check-script.ts';
import { killScript } from '../../../src/adapters/aws/scripts/kill-script.ts';
import { probeScript } from '../../../src/adapters/aws/scripts/probe-script.ts';
import { quitScript } from '../../../src/adapters/aws/scripts/quit-script.ts';
import { script } from '../../../src/adapters/aws/scripts/script-parts.ts';
import { dockerHost, systemdHost } from '../sandbox-aws.ts';

const scripts = [dockerHost, systemdHost].flatMap((settings) => [
  [`look, ${settings.process.kind}`, hostCheckScript(settings)],
  [`quit, ${settings.process.kind}`, quitScript(settings)],
  [`kill, ${settings.process.kind}`, killScript(settings)],
  [`probe, ${settings.process.kind}`, probeScript(settings, { id: 'abcdefgh12345678' })],
]) as [string, string][];

describe('scripts for hosts', () => {
  test.each(scripts)('%s is a script that every POSIX shell can read', (_, text) => {
    expect(spawnSync('sh', ['-n'], { input: text }).stderr.toString()).toBe('');
  });

  test.each(scripts)('%s contains nothing that Systems Manager would substitute', (_, text) => {
    expect(text).not.toContain('{{');
  });

  test.each(["x'; reboot; '", '$(reboot)', '-rf', '', 'a b', 'a\nb', 'x'.repeat(256)])(
    'refuse the name %j',
    (name) => {
      expect(() => script({ values: { name }, body: '' })).toThrow(/cannot be a name on a host/);
    },
  );
});

describe('a host report', () => {
  const whole = [
    'inspect_code=0',
    'inspect=running always',
    'state_code=0',
    'state_lines=4',
    'state=HTTP/1.1 200 OK',
    'state=Content-Type: text/plain',
    'state=',
    'state=running',
    'ready_code=0',
    'ready_lines=4',
    'ready=HTTP/1.1 200 OK',
    'ready=Content-Type: text/plain',
    'ready=',
    'ready=ready',
    'jobs_code=0',
    'jobs_lines=3',
    'jobs=HTTP/1.1 200 OK',
    'jobs=X-List-Version: 2',
    'jobs=',
    'metric=gitlab_runner_version_info{name="gitlab-runner",version="19.4.0"} 1',
    'metric=gitlab_runner_limit{system_id="s_0123456789ab"} 0',
    'end=1',
  ];
  const read = (change: (line: string) => string | readonly string[]) =>
    readReport(parseHostOutput(whole.flatMap(change).join('\n')), (text) => text);

  test('identifies a process by the id that the process sends, not by a file', () => {
    expect(
      read((line) => (line === 'end=1' ? ['system_id=s_anotherone12', line] : line)).systemId,
    ).toBe('s_0123456789ab');
  });

  test.each<[string, string, string, Record<string, unknown>]>([
    ['reports that it is starting', 'state=running', 'state=starting', { process: 'starting' }],
    ['quits', 'state=running', 'state=graceful-shutdown', { process: 'quitting' }],
    ['is being killed', 'state=running', 'state=forceful-shutdown', { process: 'quitting' }],
    [
      'is not ready',
      'ready=HTTP/1.1 200 OK',
      'ready=HTTP/1.1 503 Unavailable',
      { ready: 'not_ready' },
    ],
    [
      'is too old to report readiness',
      'ready=HTTP/1.1 200 OK',
      'ready=HTTP/1.1 404 Not Found',
      { ready: 'not_offered' },
    ],
  ])('shows the state of a runner that %s', (_, from, to, expected) => {
    expect(read((line) => (line === from ? to : line))).toMatchObject(expected);
  });

  test('knows nothing if the output is empty', () => {
    expect(readReport(parseHostOutput(''), (text) => text)).toEqual({
      kind: 'report',
      process: 'unknown',
      restarts: true,
      jobs: undefined,
      ready: 'not_offered',
      log: [],
    });
  });
});
