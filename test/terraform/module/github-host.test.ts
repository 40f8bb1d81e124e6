import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { countOpenMessages } from '../../../src/adapters/aws/scripts/actions-runner-script.ts';
import { hostFiles, openHost, type StandInHost, until } from './stand-in-host.ts';

const files = join(hostFiles, 'actions-runner');
let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('the graceful termination of a host of GitHub’s runner', () => {
  const hook = { HOOK_NAME: 'drain', AUTOSCALING_GROUP_NAME: 'runners' };
  const start = () =>
    host.start(join(hostFiles, 'graceful-termination.sh'), {
      env: {
        ...hook,
        HOST_STATE: join(files, 'host-state.sh'),
        SYSTEMD_RUN: join(host.folder, 'run'),
        RUNNER_HOME: join(host.folder, 'runner'),
      },
    });
  const signals = () =>
    host.calls().flatMap((call) => /^systemctl kill --signal=(\w+)/.exec(call)?.[1] ?? []);
  const countChecks = () => host.calls().filter((call) => call.startsWith('pgrep')).length;
  const present = (name: string) => writeFileSync(join(host.folder, name), '');
  const gone = (name: string) => rmSync(join(host.folder, name));
  const started =
    '[2026-11-22 08:00:00Z INFO Listener] Runner is built for Linux (X64) - linux-x64.\n';
  const message = "[2026-11-22 08:01:00Z INFO BrokerMessageListener] Message '7' received.\n";
  const skipped = '[2026-11-22 08:01:01Z INFO Runner] Skipping message Job. Job not found\n';
  const record = (text: string) =>
    writeFileSync(join(host.folder, 'runner/_diag/Runner_20261122-080000-utc.log'), text);

  /**
   * Starts a listener that sleeps after SIGSTOP and ends by SIGKILL. Its job runs while the file
   * `job` exists.
   */
  function runner(listener = '4242'): void {
    mkdirSync(join(host.folder, 'run'));
    mkdirSync(join(host.folder, 'runner/_diag'), { recursive: true });
    record(started);
    host.stub('aws', 'exit 0');
    host.stub(
      'pgrep',
      `case "$*" in *Listener*) echo ${listener}; exit 0 ;; esac
if [ -e "$HOST/deaf" ]; then exit 3; fi
if [ -e "$HOST/comes" ] && [ -e "$HOST/frozen" ]; then touch "$HOST/job"; rm "$HOST/comes"; fi
[ -e "$HOST/job" ] && echo 4711 && exit 0; exit 1`,
    );
    host.stub('ps', 'if [ -e "$HOST/frozen" ]; then echo Tsl; else echo Ssl; fi');
    host.stub(
      'systemctl',
      `case "$*" in
is-active*) if [ -e "$HOST/ended" ]; then echo failed; exit 3; fi; echo active ;;
show*) echo 4242 ;;
*SIGSTOP*) [ -e "$HOST/insomniac" ] || touch "$HOST/frozen" ;;
*SIGCONT*) rm -f "$HOST/frozen" ;;
*SIGKILL*) [ -e "$HOST/frozen" ] && touch "$HOST/ended" ;;
esac`,
    );
    host.stub('sleep', `PATH=\${PATH#*:} exec sleep 0.02`);
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
  }

  const formatLog = (...lines: readonly string[]) =>
    [
      'this host will be terminated: its Auto Scaling group terminates it',
      ...lines,
      'the runner will not restart; waiting for its running job',
      'the runner has ended',
      'done',
    ]
      .map((line) => `graceful-termination: ${line}\n`)
      .join('');

  test('sends nothing while a job runs, and kills the frozen listener after it', async () => {
    runner();
    present('job');
    const service = start();
    await until(() => countChecks() > 6);
    expect(signals()).toEqual([]);
    expect(
      readFileSync(
        join(host.folder, 'run/actions-runner.service.d/graceful-termination.conf'),
        'utf8',
      ),
    ).toBe('[Service]\nRestart=no\n');
    gone('job');
    expect(await service.ended).toEqual({ code: 0, text: formatLog() });
    expect(signals()).toEqual(['SIGSTOP', 'SIGKILL', 'SIGCONT']);
    expect(host.calls().at(-1)).toContain('complete-lifecycle-action');
  });

  test('waits for a job that the listener has received and that has no worker yet', async () => {
    runner();
    record(started + message);
    const service = start();
    await until(() => countChecks() > 6);
    expect(signals()).toEqual([]);
    record(started + message + skipped);
    expect(await service.ended).toEqual({ code: 0, text: formatLog() });
    expect(signals()).toEqual(['SIGSTOP', 'SIGKILL', 'SIGCONT']);
  });

  test('thaws the listener if a job arrived before the freeze, and ends it after that job', async () => {
    runner();
    present('comes');
    const service = start();
    await until(() => signals().length === 2);
    expect(signals()).toEqual(['SIGSTOP', 'SIGCONT']);
    await until(() => countChecks() > 12);
    expect(signals()).toEqual(['SIGSTOP', 'SIGCONT']);
    gone('job');
    expect((await service.ended).code).toBe(0);
    expect(signals()).toEqual(['SIGSTOP', 'SIGCONT', 'SIGSTOP', 'SIGKILL', 'SIGCONT']);
  });

  test('keeps a runner whose record is unreadable, logs it once, and resumes later', async () => {
    runner();
    gone('runner/_diag/Runner_20261122-080000-utc.log');
    const service = start();
    await until(() => countChecks() > 6);
    expect(signals()).toEqual([]);
    record(started);
    const hindered = `the runner's log (${host.folder}/runner/_diag/Runner_*.log) cannot be read; no process is ended`;
    expect(await service.ended).toEqual({ code: 0, text: formatLog(hindered) });
  });

  test('follows no link of a job to a file of root', async () => {
    runner();
    const page = join(host.folder, 'runner/_diag/Runner_20261122-080000-utc.log');
    writeFileSync(join(host.folder, 'private'), started);
    rmSync(page);
    symlinkSync(join(host.folder, 'private'), page);
    const service = start();
    await until(() => countChecks() > 6);
    expect(signals()).toEqual([]);
    rmSync(page);
    record(started);
    expect((await service.ended).code).toBe(0);
  });

  test('kills no listener that does not freeze, and thaws it', async () => {
    runner();
    present('insomniac');
    const service = start();
    await until(() => signals().length >= 2);
    expect(signals().slice(0, 2)).toEqual(['SIGSTOP', 'SIGCONT']);
    gone('insomniac');
    expect(await service.ended).toEqual({
      code: 0,
      text: formatLog('the runner does not freeze; no process is ended'),
    });
  });

  test('signals no wrapper around the listener', async () => {
    runner('4300');
    const service = start();
    await until(() => countChecks() > 8);
    expect(signals()).toEqual([]);
    expect(service.text()).toContain(
      'graceful-termination: the main process of the unit is not Runner.Listener; no process is ended\n',
    );
    service.kill();
  });

  test('leaves nothing frozen if the termination itself is ended', async () => {
    runner();
    host.stub(
      'ps',
      `touch "$HOST/asked"; until [ -e "$HOST/told" ]; do PATH=\${PATH#*:} sleep 0.02; done; echo Ssl`,
    );
    const service = start();
    await until(() => existsSync(join(host.folder, 'asked')));
    service.interrupt();
    present('told');
    expect((await service.ended).code).toBe(143);
    expect(signals()).toEqual(['SIGSTOP', 'SIGCONT']);
    expect(existsSync(join(host.folder, 'frozen'))).toBe(false);
  });

  test('does not count a missing process list as an idle runner', async () => {
    runner();
    present('deaf');
    const service = start();
    await until(() => countChecks() > 6);
    expect(signals()).toEqual([]);
    gone('deaf');
    expect((await service.ended).code).toBe(0);
  });

  test('does not wait for a runner that is dead', async () => {
    runner();
    present('ended');
    expect((await start().ended).code).toBe(0);
    expect(signals()).toEqual([]);
  });

  test('counts the listener’s jobs by the same log lines as hosted-runner', () => {
    expect(readFileSync(join(files, 'host-state.sh'), 'utf8')).toContain(
      `timeout 20 awk '\n${countOpenMessages}\n  ' "$@"`,
    );
  });
});
