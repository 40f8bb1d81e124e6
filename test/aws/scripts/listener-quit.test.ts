import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseHostOutput } from '../../../src/adapters/aws/hosts/host-output.ts';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { judgeQuit } from '../../../src/adapters/aws/hosts/stop-result.ts';
import { hostCheckScript } from '../../../src/adapters/aws/scripts/host-check-script.ts';
import { quitScript } from '../../../src/adapters/aws/scripts/quit-script.ts';
import { githubHost } from '../sandbox-aws.ts';
import { startListener, stopListener } from './listener-process.ts';
import { runOnHost } from './on-a-host.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Lines of actions/runner v2.336.0. */
const line = {
  starts: '[2026-11-22 08:00:00Z INFO Listener] Runner is built for Linux (X64) - linux-x64.',
  message: "[2026-11-22 08:01:00Z INFO BrokerMessageListener] Message '7' received.",
  oldMessage:
    "[2026-11-22 08:01:00Z INFO MessageListener] Message '7' received from session 'a1b2'.",
  acknowledged:
    "[2026-11-22 08:01:00Z INFO BrokerMessageListener] Acknowledging runner request 'f00'.",
  job: '[2026-11-22 08:01:01Z INFO JobDispatcher] Job request 1 for plan 2 job 3 received.',
  busy: '[2026-11-22 08:01:01Z INFO BrokerMessageListener] Received job status event. JobState: Busy',
  skipped: '[2026-11-22 08:01:01Z INFO Runner] Skipping message Job. Job not found',
  failed: '[2026-11-22 08:01:01Z ERR  Runner] Caught exception from acquiring job message: oops',
  refresh: '[2026-11-22 08:01:01Z INFO Runner] Refresh message received, kick-off selfupdate.',
  finished:
    '[2026-11-22 08:09:00Z INFO JobDispatcher] finish job request for job 3 with result: Succeeded',
  online:
    '[2026-11-22 08:09:00Z INFO BrokerMessageListener] Received job status event. JobState: Online',
} as const;
type Line = keyof typeof line;

function home(...pages: readonly (readonly Line[])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'listener-'));
  folders.push(folder);
  mkdirSync(join(folder, '_diag'));
  pages.forEach((page, index) => {
    const file = join(folder, '_diag', `Runner_20261122-08000${index}-utc.log`);
    writeFileSync(file, page.map((name) => `${line[name]}\n`).join(''));
  });
  return folder;
}

interface Standing {
  readonly home: string;
  /** Results of `pgrep` for workers: at the first check, and while they are frozen. */
  readonly workers?: readonly [before: string, frozen: string];
  /** Results of `pgrep` for listeners, by default the main process. */
  readonly listener?: string;
  /** Shell commands in place of the signal. */
  readonly onSignal?: { readonly STOP?: string; readonly CONT?: string; readonly KILL?: string };
  readonly pid?: number;
}

function stubs({
  home: folder,
  workers = ['', ''],
  pid = 4242,
  listener = `${pid}`,
  onSignal = {},
}: Standing) {
  const {
    STOP = stopListener(pid),
    CONT = `kill -CONT ${pid}`,
    KILL = `kill -KILL ${pid}`,
  } = onSignal;
  return {
    sleep: '',
    mkdir: '',
    systemctl: `
case "$line" in
  *SIGSTOP*) touch "$STUB/frozen"; ${STOP} ;;
  *SIGCONT*) rm -f "$STUB/frozen"; ${CONT} ;;
  *SIGKILL*) ${KILL} ;;
  *LoadState,*) printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\nRestart=no\\nMainPID=${pid}\\nWorkingDirectory=%s\\n' '${folder}' ;;
esac`,
    pgrep: `
found='${workers[0]}'; [ -e "$STUB/frozen" ] && found='${workers[1]}'
case "$line" in *Worker*) ;; *) found= ;; esac
case "$line" in *Listener*) found="${listener} $found" ;; esac
[ -n "$found" ] || exit 1
printf '%s\\n' $found`,
  };
}

const signals = (calls: readonly string[]) =>
  calls.flatMap((call) => /^systemctl kill --signal=(\w+)/.exec(call)?.[1] ?? []);

function quit(standing: Standing) {
  // The folder for drop-ins must not be this computer's.
  const script = `MACHINE_ROOT=$STUB\nprintf() { [ "$1" = '[Service]\\nRestart=no\\n' ] || command printf "$@"; }\n${quitScript(githubHost)}`;
  const pid = startListener();
  const ran = runOnHost(
    script.replaceAll('>"$folder/hosted-runner.conf"', ''),
    stubs({ pid, ...standing }),
  );
  expect(readFileSync(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^State:\s+T/m);
  return { verdict: judgeQuit(ran.text, (text) => text), signals: signals(ran.calls) };
}

describe('the end of a listener', () => {
  test.each<[string, readonly Line[]]>([
    ['without any message', ['starts']],
    [
      'with a job that ended',
      ['starts', 'message', 'acknowledged', 'job', 'busy', 'finished', 'online'],
    ],
    ['with a job that went to another runner', ['starts', 'message', 'skipped']],
    ['with a job that could not be acquired', ['starts', 'message', 'failed']],
    ['with a message that is not a job', ['starts', 'message', 'refresh']],
    [
      'with a job that died with an earlier listener',
      ['starts', 'message', 'job', 'busy', 'starts'],
    ],
  ])(
    'the listener is frozen, its record is read, and it is killed after a record %s',
    (_, record) => {
      expect(quit({ home: home(record) })).toEqual({
        verdict: { kind: 'sent' },
        signals: ['SIGSTOP', 'SIGKILL'],
      });
    },
  );

  const held = 'the listener holds an unfinished message, so it continues';
  test.each<[string, readonly (readonly Line[])[]]>([
    ['was just received', [['starts', 'message']]],
    ['was just received by an older listener version', [['starts', 'oldMessage']]],
    ['was acknowledged but not acquired', [['starts', 'message', 'acknowledged']]],
    ['was acquired and has no worker yet', [['starts', 'message', 'job', 'busy']]],
    ['was received in an earlier page of the record', [['starts', 'message', 'job'], ['busy']]],
    [
      'came before the previous job ended',
      [['starts', 'message', 'job', 'busy', 'message', 'job', 'online']],
    ],
    ['is finished but not yet reported', [['starts', 'message', 'job', 'busy', 'finished']]],
  ])('the listener is thawed and continues if a job %s', (_, record) => {
    expect(quit({ home: home(...record) })).toEqual({
      verdict: { kind: 'busy', reason: held },
      signals: ['SIGSTOP', 'SIGCONT'],
    });
  });

  const runs = { kind: 'busy', reason: 'the runner has a job after all, so it continues' };
  const refused = (reason: string) => ({ kind: 'refused', reason });
  test.each<[string, Omit<Standing, 'home'> & { pages?: readonly (readonly Line[])[] }, object]>([
    ['a worker is there', { workers: ['77', '77'] }, { verdict: runs, signals: [] }],
    [
      'a worker starts before the freeze',
      { workers: ['', '77'] },
      { verdict: runs, signals: ['SIGSTOP', 'SIGCONT'] },
    ],
    [
      'the record cannot be read',
      { pages: [] },
      {
        verdict: refused(
          "the listener's log (_diag/Runner_*.log) cannot be read, so nothing was stopped",
        ),
        signals: ['SIGSTOP', 'SIGCONT'],
      },
    ],
    [
      'the listener does not freeze',
      { onSignal: { STOP: ':' } },
      {
        verdict: refused('the listener could not be frozen, so nothing was stopped'),
        signals: ['SIGSTOP', 'SIGCONT'],
      },
    ],
    [
      'the listener cannot be signalled',
      { onSignal: { KILL: 'echo denied; exit 1' } },
      {
        verdict: refused('the signal could not be sent: "denied"'),
        signals: ['SIGSTOP', 'SIGKILL', 'SIGCONT'],
      },
    ],
    [
      'the script is ended while the listener is frozen',
      { onSignal: { STOP: 'kill -STOP "$(pgrep Listener)"; kill -TERM $PPID' } },
      {
        verdict: refused('the script did not report its result'),
        signals: ['SIGSTOP', 'SIGCONT'],
      },
    ],
    [
      'the main process is a wrapper around the listener',
      { listener: '4300' },
      {
        verdict: refused(
          "the unit's main process is not Runner.Listener, so it cannot be frozen and nothing was stopped",
        ),
        signals: [],
      },
    ],
  ])('the listener is not killed if %s', (_, { pages = [['starts']], ...standing }, expected) => {
    expect(quit({ home: home(...pages), ...standing })).toEqual(expected);
  });
});

describe('a check of a listener', () => {
  function jobs(standing: Standing): readonly string[] | undefined {
    const ran = runOnHost(hostCheckScript(githubHost), { ...stubs(standing), journalctl: '' });
    return readReport(parseHostOutput(ran.text), (text) => text).jobs;
  }

  test('reports a job that the listener holds before there is a worker', () => {
    expect(jobs({ home: home(['starts', 'message']) })).toEqual([
      'a job that the listener holds before its Runner.Worker starts',
    ]);
  });

  test('reports nothing if the record cannot be read', () => {
    expect(jobs({ home: home() })).toBeUndefined();
  });

  test('reports no job for a listener that does not run', () => {
    expect(jobs({ home: home(), pid: 0 })).toEqual([]);
  });
});
