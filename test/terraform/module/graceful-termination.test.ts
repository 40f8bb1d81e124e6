import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hostFiles, openHost, type StandInHost, until } from './stand-in-host.ts';

let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('the graceful termination of a GitLab host', () => {
  const hook = { HOOK_NAME: 'drain', AUTOSCALING_GROUP_NAME: 'runners' };
  /** Separate tests cover this script. */
  const quitter = 'quit-runner';
  beforeEach(() => host.stub(quitter, 'touch "$HOST/quit"'));
  /**
   * Starts a runner with a job. After the order to quit, it runs until the file `job` is removed.
   */
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

  test('does nothing while the host is not terminating', async () => {
    runnerWithJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'InService');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => host.imds.requestCount() > 8);
    expect(host.calls()).toEqual([]);
    service.kill();
  });

  test('pauses intake at once, waits for the job, and completes the hook after it', async () => {
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
        'this host will be terminated: its Auto Scaling group terminates it',
        'the runner takes no more jobs; waiting for its running jobs',
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

  // A further signal would end the runner before it reports its jobs.
  describe('a runner that was ordered to end by force', () => {
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
    const listChecks = () => host.calls().filter((call) => call.includes('.State.Running'));

    test.each([
      ['hosted-runner has noted that process', 'serving', process],
      ['another program ordered it, as the runner reports', 'forceful-shutdown', ''],
    ])('receives no signal, and its end is awaited: %s', async (_, state, note) => {
      const service = begin(state, note);
      await until(() => listChecks().length > 4);
      expect(completed()).toBe(false);
      finishJob();
      expect((await service.ended).code).toBe(0);
      expect(kills()).toEqual([]);
    });

    test('receives a quit signal after a restart, because the note names an earlier process', async () => {
      const service = begin('serving', 'c0ffee 2026-11-22T15:00:00Z');
      await until(() => kills().length > 0);
      expect(kills()[0]).toBe('quit-runner gitlab-runner');
      finishJob();
      expect((await service.ended).code).toBe(0);
    });
  });

  test('renews the heartbeat while the job lasts', async () => {
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

  test('logs the timeout of its group, and renews well before a short timeout', async () => {
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
      'graceful-termination: the group waits at most 300s; a longer job is lost\n',
    );
  });

  test('uses the limit of 48 hours for a group’s wait', async () => {
    runnerWithJob();
    finishJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const env = { ...hook, HOOK_HEARTBEAT_TIMEOUT: '7200' };
    const ended = await host.start(join(hostFiles, 'graceful-termination.sh'), { env }).ended;
    expect(ended.text).toContain('the group waits at most 172800s');
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

  test('does not count a missing response of Docker as an end', async () => {
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

  test('completes the hook again after a refusal', async () => {
    runnerWithJob();
    finishJob();
    writeFileSync(join(host.folder, 'refuse'), '');
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => service.text().includes('AWS refused to complete the hook; retrying'));
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

  test('retries after a missing metadata response instead of terminating', async () => {
    runnerWithJob();
    finishJob();
    host.imds.values.set('autoscaling/target-lifecycle-state', 'Terminated');
    host.imds.setUnresponsive(true);
    const service = host.start(join(hostFiles, 'graceful-termination.sh'), { env: hook });
    await until(() => host.imds.requestCount() > 4);
    expect(host.calls()).toEqual([]);
    host.imds.setUnresponsive(false);
    expect((await service.ended).code).toBe(0);
    expect(completed()).toBe(true);
  });

  test('drains before AWS reclaims a spot instance, without any hook', async () => {
    runnerWithJob();
    finishJob();
    host.imds.values.set('spot/instance-action', '{"action":"terminate"}');
    const ended = await host.start(join(hostFiles, 'graceful-termination.sh')).ended;
    expect(ended.code).toBe(0);
    expect(ended.text).toContain('AWS reclaims the spot instance');
    expect(host.calls().filter((call) => call.startsWith('aws'))).toEqual([]);
  });
});
