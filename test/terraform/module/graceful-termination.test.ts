import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hostFiles, openHost, type StandInHost, until } from './stand-in-host.ts';

let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('graceful termination', () => {
  const hook = { HOOK_NAME: 'drain', AUTOSCALING_GROUP_NAME: 'runners' };
  /** Its own tests are elsewhere. */
  const quitter = 'quit-runner';
  beforeEach(() => host.stub(quitter, 'touch "$HOST/quit"'));
  /** A runner with a job: it runs until the file `job` is gone, once it has been told to quit. */
  function runnerWithJob(): void {
    writeFileSync(join(host.folder, 'job'), '');
    host.stub(
      'docker',
      `case $1 in
inspect)
  if [ -e "$HOST/deaf" ]; then echo 'Cannot connect to the Docker daemon' >&2; exit 1; fi
  if [ -e "$HOST/quit" ] && ! [ -e "$HOST/job" ]; then echo 'Error: No such object: x' >&2; exit 1; fi
  echo true ;;
esac`,
    );
    host.stub('aws', 'if [ -e "$HOST/refuse" ]; then exit 254; fi');
  }
  const finishJob = () => rmSync(join(host.folder, 'job'));
  const completed = () => host.calls().some((call) => call.includes('complete-lifecycle-action'));

  test('does nothing while nobody terminates the host', async () => {
    runnerWithJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'InService');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => host.imds.asked() > 8);
    expect(host.calls()).toEqual([]);
    service.kill();
  });

  test('closes the intake at once, waits for the job, and completes the hook when it is gone', async () => {
    runnerWithJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => host.calls().filter((call) => call.startsWith(quitter)).length > 2);
    expect(host.calls().slice(0, 4)).toEqual([
      'docker inspect -f {{.State.Running}} gitlab-runner',
      'docker update --restart=no gitlab-runner',
      'docker inspect -f {{.Id}} {{.State.StartedAt}} gitlab-runner',
      'quit-runner gitlab-runner',
    ]);
    expect(completed()).toBe(false);
    finishJob();
    expect(await service.ended).toEqual({
      code: 0,
      text: [
        'this host is about to go: its Auto Scaling group terminates it',
        'the intake is closed; waiting for the jobs that run',
        'the runner has ended',
        'done',
      ]
        .map((line) => `graceful-termination: ${line}\n`)
        .join(''),
    });
    expect(host.calls().at(-1)).toBe(
      'aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE --region eu-west-1 --lifecycle-hook-name drain --auto-scaling-group-name runners --instance-id i-0123456789abcdef0',
    );
  });

  // Any further signal would end it before its jobs are reported.
  describe('of a runner that was told to end by force', () => {
    const process = 'c0ffee 2026-11-22T16:00:00Z';
    const begin = (state: string, note: string) => {
      runnerWithJob();
      host.stub(
        'docker',
        `case "$*" in
*StartedAt*) echo '${process}' ;;
inspect*) if [ -e "$HOST/job" ]; then echo true; else echo 'Error: No such object: x' >&2; exit 1; fi ;;
esac`,
      );
      host.stub(
        'curl',
        `case "$*" in
*/debug/process/state) echo '${state}' ;;
*) PATH=\${PATH#*:} exec curl "$@" ;;
esac`,
      );
      const folder = join(host.folder, 'run/hosted-runner');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'gitlab-runner.terminated'), `${note}\n`);
      host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
      return host.start(join(hostFiles, 'graceful-termination.sh'), {
        env: { ...hook, MACHINE_ROOT: host.folder },
      });
    };
    const kills = () => host.calls().filter((call) => call.startsWith(quitter));
    const looks = () => host.calls().filter((call) => call.includes('.State.Running'));

    test.each([
      ['by hosted-runner, which has noted that process', 'serving', process],
      ['by somebody else, as the runner says', 'forceful-shutdown', ''],
    ])('%s: no signal is sent, and its end is waited for', async (_, state, note) => {
      const service = begin(state, note);
      await until(() => looks().length > 4);
      expect(completed()).toBe(false);
      finishJob();
      expect((await service.ended).code).toBe(0);
      expect(kills()).toEqual([]);
    });

    test('before it was started anew: the note is of another process, and this one quits', async () => {
      const service = begin('serving', 'c0ffee 2026-11-22T15:00:00Z');
      await until(() => kills().length > 0);
      expect(kills()[0]).toBe('quit-runner gitlab-runner');
      finishJob();
      expect((await service.ended).code).toBe(0);
    });
  });

  test('renews the heartbeat as long as the job lasts', async () => {
    runnerWithJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), {
      env: { ...hook, HEARTBEAT_SECONDS: '1' },
    });
    const beats = () =>
      host.calls().filter((call) => call.includes('record-lifecycle-action-heartbeat'));
    await until(() => beats().length >= 2);
    finishJob();
    expect((await service.ended).code).toBe(0);
  });

  test('says how long its group waits, and renews well before a short timeout', async () => {
    runnerWithJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), {
      env: { ...hook, HOOK_HEARTBEAT_TIMEOUT: '3' },
    });
    const beats = () =>
      host.calls().filter((call) => call.includes('record-lifecycle-action-heartbeat'));
    await until(() => beats().length >= 2);
    finishJob();
    expect((await service.ended).text).toContain(
      'graceful-termination: its group waits for 300s at most, and a job that lasts longer is lost\n',
    );
  });

  test('knows that no group waits for more than 48 hours', async () => {
    runnerWithJob();
    finishJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const env = { ...hook, HOOK_HEARTBEAT_TIMEOUT: '7200' };
    const ended = await host.start(join(hostFiles, 'graceful-termination.sh'), { env }).ended;
    expect(ended.text).toContain('its group waits for 172800s at most');
  });

  test('does not wait for a runner that is dead', async () => {
    runnerWithJob();
    finishJob();
    writeFileSync(join(host.folder, 'quit'), '');
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    expect(
      (await host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook }).ended).code,
    ).toBe(0);
    expect(host.calls().filter((call) => call.startsWith(quitter))).toEqual([]);
    expect(completed()).toBe(true);
  });

  test('takes no silence of Docker for an end', async () => {
    runnerWithJob();
    writeFileSync(join(host.folder, 'deaf'), '');
    finishJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => host.calls().length > 8);
    expect(completed()).toBe(false);
    rmSync(join(host.folder, 'deaf'));
    expect((await service.ended).code).toBe(0);
  });

  test('tries again when completing the hook is refused', async () => {
    runnerWithJob();
    finishJob();
    writeFileSync(join(host.folder, 'refuse'), '');
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => service.text().includes('completing the hook was refused; tried again'));
    rmSync(join(host.folder, 'refuse'));
    expect((await service.ended).code).toBe(0);
  });

  test('completes the hook once, and ends', async () => {
    runnerWithJob();
    finishJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    await host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook }).ended;
    const calls = host.calls().filter((call) => call.includes('complete-lifecycle-action'));
    expect(calls).toHaveLength(1);
  });

  test('takes no silence of the metadata for a termination, and asks again', async () => {
    runnerWithJob();
    finishJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    host.imds.silence(true);
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => host.imds.asked() > 4);
    expect(host.calls()).toEqual([]);
    host.imds.silence(false);
    expect((await service.ended).code).toBe(0);
    expect(completed()).toBe(true);
  });

  test('drains before a spot instance is taken back, without any hook', async () => {
    runnerWithJob();
    finishJob();
    host.imds.values.set('spot/instance-action', '{"action":"terminate"}');
    const ended = await host.start(join(hostFiles, 'graceful-termination.sh')).ended;
    expect(ended.code).toBe(0);
    expect(ended.text).toContain('AWS takes the spot instance back');
    expect(host.calls().filter((call) => call.startsWith('aws'))).toEqual([]);
  });
});
