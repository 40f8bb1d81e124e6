import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { judgeQuit, judgeStop } from '../../../src/adapters/aws/hosts/stop-result.ts';
import { judgeWorkload } from '../../../src/adapters/aws/hosts/workload.ts';
import { hostCheckScript } from '../../../src/adapters/aws/scripts/host-check-script.ts';
import { killScript } from '../../../src/adapters/aws/scripts/kill-script.ts';
import { probeScript } from '../../../src/adapters/aws/scripts/probe-script.ts';
import { quitScript } from '../../../src/adapters/aws/scripts/quit-script.ts';
import type { HostSettings } from '../../../src/domain/settings.ts';
import { describeWithTools } from '../../support/tools.ts';
import { dockerHost, githubHost, systemdHost } from '../sandbox-aws.ts';
import { startListener, stopListener } from './listener-process.ts';
import { runOnHost } from './on-a-host.ts';
import { shells } from './shells.ts';

const most = 15;
const plain = (text: string) => text;
const ofModule =
  'ExecStart={ path=/usr/bin/docker ; argv[]=/usr/bin/docker run --name gitlab-runner x }';

const series = (runner: number) =>
  `gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="AAAAAAAA${runner}",status="204"} 5`;
const section = (runner: number) =>
  `[[runners]]\n  id = 4820${runner}\n  token = "glrt-t1_AAAAAAAA${runner}made-up"`;
const listed = (runners: number, one: (runner: number) => string) =>
  Array.from({ length: runners }, (_, runner) => one(runner)).join('\n');

/**
 * Returns stubs for a host's programs. None starts a process, so the count contains only the
 * script's own.
 */
function programs(machine: string, runners: number, pid = 4242): Record<string, string> {
  const head = 'HTTP/1.1 200 OK\\r\\nX-List-Version: 2\\r\\n\\r\\n';
  return {
    curl: `
case "$line" in
  *InitForcefulShutdown*CheckStatus*) : >"$STUB/ended"; printf '\\000\\000\\000\\000\\002\\010\\002.\\000\\000\\000\\000\\002\\010\\003.'; exit ;;
  *ProcessWrapper*) printf '\\000\\000\\000\\000\\002\\010\\002'; exit ;; esac
while [ $# -gt 0 ]; do
  [ "$1" != --write-out ] || format=$2
  shift
done
[ -n "$format" ] || { echo running; exit; }
end() { printf '%b200/0/9\\n' "\${format%%'%{http_code}'*}"; }
printf '${head}running'; end
printf '${head}ready'; end
printf '${head}%s\\n' '${listed(runners, series)}'; end
printf '${head}'; end`,
    docker: `
for mark; do :; done
case "$line" in
  *StartedAt*) if [ -e "$STUB/ended" ]; then state=exited; else state=running; fi; echo "$state c0ffee 2026-11-29T06:00:00Z" ;;
  *State.Status*) if [ -e "$STUB/ended" ]; then echo exited; else echo 'running always '; fi ;;
  *"{{.Image}}"* | images*) echo sha256:0123 ;;
  *config.toml) echo 'shutdown_timeout = 60' ;;
  *"--signal=TERM"*) : >"$STUB/ended" ;;
  "ps --all --quiet --filter name=health-check-abcd") echo c0ffee ;;
  exec*) printf '%s\\n%s system_id 0\\n%s\\n%s config 0\\n%s\\n' s_0123456789ab "$mark" '${listed(runners, section)}' "$mark" 'Version: 19.4.0' ;;
  logs*) echo 'one line' ;;
esac`,
    systemctl: `
pid=${pid}
[ ! -e "$STUB/ended" ] || pid=0
case "$line" in
  *kill*SIGTERM*) : >"$STUB/ended" ;;
  *kill*SIGSTOP*) ${stopListener(pid)} ;;
  show*) printf '%s\\n' LoadState=loaded ActiveState=active SubState=running Restart=no "MainPID=$pid" ExecMainStartTimestampMonotonic=7 'WorkingDirectory=${machine}/runner' '${ofModule}' ;;
esac`,
    journalctl: 'echo a line',
    'gitlab-runner': "echo 'Version: 19.4.0'",
    cat: `printf '%s\\n' '${listed(runners, section)}'`,
    pgrep: `case "$line" in *Listener*) echo ${pid}; exit ;; esac; exit 1`,
    sleep: '',
  };
}

const wrapped = (settings: HostSettings): HostSettings => ({
  ...settings,
  wrapper: 'tcp://localhost:7777',
});
const hosts: [string, HostSettings][] = [
  ['a container', dockerHost],
  ['a unit', systemdHost],
  ['a container with a gRPC wrapper', wrapped(dockerHost)],
  ['a unit with a gRPC wrapper', wrapped(systemdHost)],
  ["GitHub's runner", githubHost],
];

describeWithTools({ name: 'the processes of a host script', needs: ['strace'] }, (path) => {
  let machine = '';
  beforeEach(() => {
    machine = mkdtempSync(join(tmpdir(), 'counted-'));
    mkdirSync(join(machine, 'runner/_diag'), { recursive: true });
    writeFileSync(join(machine, 'runner/.runner'), '{ "agentName": "pink-linux-i-1" }\n');
    writeFileSync(
      join(machine, 'runner/_diag/Runner_20261122-080000-utc.log'),
      '[2026-11-22 08:00:00Z INFO Listener] Runner is built for Linux (X64) - linux-x64.\n',
    );
  });
  afterEach(() => rmSync(machine, { recursive: true, force: true }));

  describe.each(shells)('the processes started in %s', (_, shell) => {
    const run = (script: string, { runners = 1, pid }: { runners?: number; pid?: number } = {}) =>
      runOnHost(script, programs(machine, runners, pid), {
        shell,
        machine,
        trace: path('strace'),
      });

    describe.each(hosts)('the host of %s', (_name, settings) => {
      test.each([1, 10])(`a check of %d runners starts at most ${most}`, (runners) => {
        const { output, processes } = run(hostCheckScript(settings), { runners });
        const report = readReport(output, plain);
        expect(report).toMatchObject({ jobs: [], log: [expect.any(String)] });
        const isGitHub = settings.process.kind === 'actions_runner';
        expect(report.requestsOf?.length ?? 1).toBe(isGitHub ? 1 : runners);
        expect(processes).toBeGreaterThan(5);
        expect(processes).toBeLessThanOrEqual(most);
      });

      test(`a quit starts at most ${most}`, () => {
        const { text, processes } = run(quitScript(settings), { pid: startListener() });
        expect(judgeQuit(text, plain)).toEqual({ kind: 'sent' });
        expect(processes).toBeLessThanOrEqual(most);
      });

      test(`a kill starts at most ${most}`, () => {
        if (settings.process.kind === 'actions_runner') return;
        const { text, processes } = run(killScript(settings));
        expect(judgeStop(text, plain)).toEqual({ kind: 'already_stopped' });
        expect(processes).toBeLessThanOrEqual(most);
      });
    });

    test.each(hosts.slice(0, 2))(
      'each poll of a wait on %s starts at most 3',
      (_name, settings) => {
        const { curl = '', ...others } = programs(machine, 1);
        const busy = `case "$line" in *--include*) ;; *) printf 'running\\n200\\nurl=x\\n\\n200\\n'; exit ;; esac`;
        const stubs = { ...others, curl: `${busy}\n${curl}` };
        const script = hostCheckScript(settings, 5);
        const ran = runOnHost(script, stubs, { shell, machine, trace: path('strace') });
        const polls = ran.calls.filter((call) => call === 'sleep 0.5').length;
        expect(polls).toBe(10);
        expect(ran.processes).toBeLessThanOrEqual(most + 3 * polls);
      },
    );

    test.each(hosts.slice(0, 2))(`a probe of %s starts at most ${most}`, (_name, settings) => {
      const { output, processes } = run(probeScript(settings, { id: 'abcd' }));
      expect(judgeWorkload(output, plain)).toEqual({ kind: 'worked' });
      expect(processes).toBeLessThanOrEqual(most);
    });
  });
});
