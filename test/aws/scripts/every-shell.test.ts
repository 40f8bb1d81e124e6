import { describe, expect, test } from '@jest/globals';
import { judgeVerification } from '../../../src/adapters/aws/hosts/host-output.ts';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { judgeReachability } from '../../../src/adapters/aws/hosts/reachability.ts';
import { judgeWorkload } from '../../../src/adapters/aws/hosts/workload.ts';
import { hostCheckScript } from '../../../src/adapters/aws/scripts/host-check-script.ts';
import { probeScript } from '../../../src/adapters/aws/scripts/probe-script.ts';
import { reachScript } from '../../../src/adapters/aws/scripts/reach-script.ts';
import { verifyScript } from '../../../src/adapters/aws/scripts/verify-script.ts';
import { dockerHost, systemdHost } from '../sandbox-aws.ts';
import { curl, docker } from './host-check-stubs.ts';
import { runOnHost } from './on-a-host.ts';
import { missingShells, shells } from './shells.ts';

const plain = (text: string) => text;
const systemctl = `printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\nRestart=on-failure\\n'`;

describe.each(shells)('the host scripts in %s', (_, shell) => {
  const run = (script: string, stubs: Readonly<Record<string, string>>) =>
    runOnHost(script, stubs, { shell });

  test('a check of a container reports all values', () => {
    const stubs = { curl: curl('19.4.0'), docker: docker('running always healthy', '19.4.0') };
    expect(readReport(run(hostCheckScript(dockerHost), stubs).output, plain)).toMatchObject({
      ...{ process: 'running', restarts: true, health: 'healthy', jobs: [], ready: 'ready' },
      ...{ requests: { answered: 1_200_000, refused: 3, slots: 10 }, idleWorkers: 5 },
      ...{ slots: { idle: 5, acquired: 7 }, systemId: 's_0123456789ab', version: '19.4.0' },
      log: ['one line'],
    });
  });

  test('a check of a unit reports all values', () => {
    const journalctl = 'echo first; printf last';
    const program = "echo 'Version:      18.0.0'";
    const stubs = { curl: curl('18.0.0'), systemctl, journalctl, 'gitlab-runner': program };
    expect(readReport(run(hostCheckScript(systemdHost), stubs).output, plain)).toMatchObject({
      ...{ process: 'running', restarts: true, jobs: [], version: '18.0.0' },
      log: ['first', 'last'],
    });
  });

  test.each([
    ['Docker 28', 'Error: No such object: gitlab-runner', 'absent'],
    ['Docker 29', 'error: no such object: gitlab-runner', 'absent'],
    ['Podman', 'Error: no such container "gitlab-runner"', 'absent'],
    [
      'a Docker that is down',
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'unknown',
    ],
  ])('the state of a container follows %s', (_engine, printed, process) => {
    const stubs = { curl: 'exit 7', docker: `echo '${printed}' >&2; exit 1` };
    const report = readReport(run(hostCheckScript(dockerHost), stubs).output, plain);
    expect(report).toMatchObject({ process, listener: 'off' });
    expect(report.jobs).toBeUndefined();
  });

  test.each([
    [
      'is valid',
      'Verifying runner... is valid                        runner=AbCdEfGhI',
      'accepted',
    ],
    [
      'is not valid',
      'Verifying runner... is not valid                    runner=AbCdEfGhI',
      'refused',
    ],
  ])('a token %s according to the output of gitlab-runner verify', (_name, line, kind) => {
    const code = kind === 'refused' ? 1 : 0;
    const stubs = { docker: `echo '${line}' >&2; exit ${code}` };
    const { output } = run(verifyScript(dockerHost), stubs);
    expect(judgeVerification(output, plain)).toMatchObject({ kind });
  });

  test('a workload is created and removed, the container before its volume', () => {
    const id = 'abcdefgh12345678';
    const works = `case "$line" in
  *"{{.Image}}"*) echo sha256:0123 ;;
  "ps --all --quiet --filter name=health-check-${id}") echo c0ffee ;;
esac`;
    const { calls, output } = run(probeScript(dockerHost, { id }), { docker: works });
    expect(judgeWorkload(output, plain)).toEqual({ kind: 'worked' });
    expect(calls.filter((call) => /^docker (?:volume )?rm /.test(call))).toEqual([
      `docker rm --force health-check-${id}`,
      `docker volume rm health-check-${id}`,
    ]);
  });

  test('each target is reported as reached or refused, in its order', () => {
    const curl = `case "$line" in *closed*) printf '0.000 000'; exit 7 ;; *) printf '0.012 204' ;; esac`;
    const targets = ['https://closed.example.com', 'https://open.example.com'];
    const { output } = run(reachScript(targets), { curl });
    expect(judgeReachability(output, targets).map(({ kind }) => kind)).toEqual([
      'refused',
      'reached',
    ]);
  });
});

for (const [name, [path]] of missingShells) {
  // biome-ignore lint/suspicious/noSkippedTests: the shell is missing, as the name shows
  test.skip(`shell ${name} (not found: ${path})`, () => undefined);
}
