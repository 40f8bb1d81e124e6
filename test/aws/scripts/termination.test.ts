import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { judgeStop } from '../../../src/adapters/aws/hosts/stop-result.ts';
import { killScript } from '../../../src/adapters/aws/scripts/kill-script.ts';
import { quitScript } from '../../../src/adapters/aws/scripts/quit-script.ts';
import type { HostSettings } from '../../../src/domain/settings.ts';
import { dockerHost, systemdHost } from '../sandbox-aws.ts';
import { runOnHost } from './on-a-host.ts';

interface Process {
  /** Start time, which distinguishes starts. */
  readonly startedAt: string;
  /** One line of its config.toml. */
  readonly configured?: string;
  /** Seconds until it ends by itself. SIGKILL ends it in any case. */
  readonly endsAfter: number;
  readonly state?: string;
}

/** Returns stubs of docker and systemctl with one process. A second is one call of `sleep`. */
function stubsOf({ startedAt, configured = '', endsAfter, state = 'running' }: Process) {
  const ended = `[ -f "$STUB/killed" ] || [ "$(/bin/cat "$STUB/slept" 2>/dev/null | wc -l)" -ge ${endsAfter} ]`;
  return {
    docker: `
case "$line" in
  *State.StartedAt*) if ${ended}; then state=exited; else state=running; fi; echo "$state c0ffee ${startedAt}" ;;
  *config.toml) echo '${configured}' ;;
  "kill --signal=KILL"*) touch "$STUB/killed" ;;
esac`,
    systemctl: `
case "$line" in
  show*) if ${ended}; then pid=0; else pid=4711; fi; printf '%s\\n' LoadState=loaded ActiveState=active MainPID=$pid ExecMainStartTimestampMonotonic=${startedAt} Restart=no ;;
  kill*SIGKILL*) touch "$STUB/killed" ;;
esac`,
    sleep: 'echo 1 >>"$STUB/slept"',
    curl: `echo ${state}`,
    cat: `case "$line" in */config.toml) echo '${configured}' ;; *) exec /bin/cat "$@" ;; esac`,
  };
}

const hosts: [string, HostSettings][] = [
  ['a container', dockerHost],
  ['a unit', systemdHost],
];

describe.each(hosts)('the runner of %s', (_, settings) => {
  let machine = '';
  beforeEach(() => {
    machine = mkdtempSync(join(tmpdir(), 'machine-'));
  });
  afterEach(() => rmSync(machine, { recursive: true, force: true }));

  function run(script: string, process: Process) {
    const ran = runOnHost(`MACHINE_ROOT=${machine}\n${script}`, stubsOf(process));
    return {
      verdict: judgeStop(ran.text, String),
      signals: ran.calls.flatMap(
        (call) => /(?:^\w+ kill .*?|then kill -)(QUIT|TERM|KILL)/.exec(call)?.[1] ?? [],
      ),
      seconds: ran.calls.filter((call) => call.startsWith('sleep')).length,
    };
  }
  const kill = (process: Process) => run(killScript(settings), process);
  const quit = (process: Process) => run(quitScript(settings), process);
  const first = { startedAt: '1111', endsAfter: 3 };

  test('receives one SIGTERM, and ends by itself', () => {
    expect(kill(first)).toEqual({
      verdict: { kind: 'already_stopped' },
      signals: ['TERM'],
      seconds: 3,
    });
  });

  test('receives no second signal from the next run', () => {
    kill({ ...first, endsAfter: 1 });
    expect(kill(first)).toEqual({ verdict: { kind: 'already_stopped' }, signals: [], seconds: 3 });
    expect(quit({ ...first, endsAfter: 100 })).toMatchObject({
      verdict: { kind: 'sent' },
      signals: [],
    });
  });

  test('counts as a new process after a start, and receives its own signal', () => {
    kill({ ...first, endsAfter: 1 });
    expect(kill({ ...first, startedAt: '2222' }).signals).toEqual(['TERM']);
    expect(quit({ startedAt: '3333', endsAfter: 100 }).signals).toEqual(['QUIT']);
  });

  test('receives no signal if it already reports a forceful shutdown', () => {
    const process = { ...first, state: 'forceful-shutdown' };
    expect(quit({ ...process, endsAfter: 100 })).toMatchObject({
      verdict: { kind: 'sent' },
      signals: [],
    });
    expect(kill(process)).toMatchObject({ verdict: { kind: 'already_stopped' }, signals: [] });
  });

  test.each([
    ['', 45],
    ['shutdown_timeout = 0', 45],
    ['  shutdown_timeout=50', 65],
    ['# shutdown_timeout = 600', 45],
    ['shutdown_timeout = 6_0', 75],
  ])('receives SIGKILL no sooner than its shutdown_timeout allows: %j', (configured, patience) => {
    const { verdict, signals, seconds } = kill({ ...first, configured, endsAfter: 9999 });
    expect(verdict).toEqual({ kind: 'already_stopped' });
    expect(signals).toEqual(['TERM', 'KILL']);
    expect(seconds).toBe(patience);
  });

  test('receives no signal if the host cannot record the stop', () => {
    mkdirSync(join(machine, 'run/systemd/system'), { recursive: true });
    writeFileSync(join(machine, 'run/hosted-runner'), 'in the way');
    expect(kill(first)).toEqual({
      verdict: {
        kind: 'refused',
        reason:
          'the host cannot record the stop of its runner, and a second signal would lose job reports',
      },
      signals: [],
      seconds: 0,
    });
  });
});
