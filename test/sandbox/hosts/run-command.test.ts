import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createRunnerHost } from '../../../src/adapters/aws/hosts/aws-runner-host.ts';
import { createSsm } from '../../../src/adapters/aws/services.ts';
import type { RunnerName, Shard } from '../../../src/domain/shard.ts';
import { openSandbox, registerRunner, runScript, until } from './running-sandbox.ts';

const place = { runnerName: 'linux', shard: 'pink' };

/** The commands that the product itself sends, answered by a machine of the sandbox. */
describe.each(['docker', 'systemd'] as const)('a machine whose runner is run by %s', (kind) => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  beforeEach(async () => {
    world = await openSandbox({ behaviour: { process: kind } });
    await registerRunner(world);
  });
  afterEach(() => world.close());

  async function build() {
    const { instanceIds } = await world.sandbox.stacks.apply(place);
    const hostId = instanceIds[0] ?? '';
    await until(() => world.sandbox.fleet.machine(hostId)?.unit?.contactedAt);
    return hostId;
  }

  function host() {
    const clock = {
      now: () => world.sandbox.clock.now(),
      elapsed: () => performance.now(),
      sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 50))),
    };
    const random = { id: () => 'abcdefgh01234567', fraction: () => 0.5 };
    const redact = (text: string) => text;
    const configuration = {
      region: 'eu-west-1',
      endpoint: world.sandbox.ssmUrl,
      credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    };
    return createRunnerHost({
      ssm: createSsm({ environment: {}, clock, random, redact, configuration }),
      settings: {
        access: 'run_command',
        process:
          kind === 'docker'
            ? { kind, container: 'gitlab-runner' }
            : { kind, unit: 'gitlab-runner' },
        listenPort: 9252,
      },
      clock,
      random,
      redact,
    });
  }

  test('is listed by its name and tells how its runner is', async () => {
    const hostId = await build();
    const listed = await host().list({
      runnerName: 'linux' as RunnerName,
      shard: 'pink' as Shard,
    });
    expect(listed.map(({ id, agent }) => ({ id, agent }))).toEqual([
      { id: hostId, agent: 'online' },
    ]);
    const report = await host().look(hostId);
    expect(report).toMatchObject({
      kind: 'report',
      process: 'running',
      restarts: true,
      jobs: [],
      ready: 'ready',
      systemId: world.sandbox.fleet.find(hostId)?.systemId,
      version: '19.4.0',
    });
  });

  test('tells of the job that it runs', async () => {
    const hostId = await build();
    const { id } = world.sandbox.gitlab.submitJob({
      project: 201,
      tags: ['linux'],
      script: ['sleep 3000'],
    });
    const report = await until(async () => {
      const seen = await host().look(hostId);
      return seen.kind === 'report' && seen.jobs?.[0] !== undefined && seen;
    });
    expect(report.jobs?.[0]).toMatch(
      new RegExp(`^url=http://127.0.0.1:.*/-/jobs/${id} state=running `),
    );
  });

  test('quits for good, and a second time says so', async () => {
    const hostId = await build();
    expect(await host().quit(hostId)).toEqual({ kind: 'sent' });
    const unit = world.sandbox.fleet.machine(hostId)?.unit;
    await until(() => unit?.isRunning === false);
    expect(await host().look(hostId)).toMatchObject({ process: 'stopped', restarts: false });
    expect(await host().quit(hostId)).toEqual({ kind: 'already_stopped' });
    expect(unit?.restarts).toBe(0);
  });

  test('is told by systemctl of each property that was asked for, also where it is empty', async () => {
    const asked = 'systemctl show --property=LoadState,Job gitlab-runner';
    const result = await runScript(world.ssm, await build(), asked);
    expect(result.StandardOutputContent).toMatch(/^LoadState=[a-z-]+\nJob=\n?$/);
  });

  test('does the little work of a health check and leaves nothing of it', async () => {
    const hostId = await build();
    expect(await host().probeWorkload(hostId)).toEqual({ kind: 'worked' });
    const { containers } = world.sandbox.fleet.machine(hostId) ?? {};
    expect([containers?.list.length, containers?.volumes.size]).toEqual([0, 0]);
  });

  test('whose agent is lost is listed as lost and does not answer', async () => {
    const hostId = await build();
    world.sandbox.fleet.setAgent(hostId, 'lost');
    const { Command } = await world.ssm.sendCommand({
      DocumentName: 'AWS-RunShellScript',
      InstanceIds: [hostId],
      TimeoutSeconds: 30,
      Parameters: { commands: ['echo hello'] },
    });
    const asked = { CommandId: Command?.CommandId ?? '', InstanceId: hostId };
    const status = () =>
      world.ssm.getCommandInvocation(asked).then(
        ({ StatusDetails }) => StatusDetails,
        () => undefined,
      );
    expect(await until(status)).toBe('Delayed');
    world.sandbox.clock.advance(31_000);
    expect(await until(status)).toBe('DeliveryTimedOut');
  });
});

describe('a script on a machine', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  beforeEach(async () => {
    world = await openSandbox();
  });
  afterEach(() => world.close());

  async function build() {
    const { instanceIds } = await world.sandbox.stacks.apply(place);
    const hostId = instanceIds[0] ?? '';
    await until(() => world.sandbox.fleet.find(hostId)?.state === 'running');
    return hostId;
  }

  test('has its two outputs and its exit code', async () => {
    const result = await runScript(world.ssm, await build(), 'echo out\necho err >&2\nexit 3');
    expect(result).toMatchObject({
      Status: 'Failed',
      ResponseCode: 3,
      StandardOutputContent: 'out\n',
      StandardErrorContent: 'err\nfailed to run commands: exit status 3',
    });
  });

  test('sees 24000 characters of a long output, and that it was cut', async () => {
    const result = await runScript(world.ssm, await build(), 'yes 0123456789 | head -n 5000');
    expect(result.StandardOutputContent?.length).toBe(24_000);
    expect(result.StandardOutputContent).toMatch(/[\d\n]--output truncated--$/);
  });

  test('is killed with everything it started when its time is over', async () => {
    const hostId = await build();
    let pid = 0;
    // Until the time was enough for this machine to start something in it.
    for (let seconds = 1; pid === 0; seconds *= 2) {
      expect(await timeOut(hostId, seconds)).toBe('ExecutionTimedOut');
      pid = Number((await runScript(world.ssm, hostId, 'cat pid')).StandardOutputContent);
    }
    await until(() => !isAlive(pid));
  });

  async function timeOut(hostId: string, seconds: number): Promise<string | undefined> {
    const { Command } = await world.ssm.sendCommand({
      DocumentName: 'AWS-RunShellScript',
      InstanceIds: [hostId],
      Parameters: {
        commands: ['sleep 3000 &', 'echo $! >pid', 'wait'],
        executionTimeout: [String(seconds)],
      },
    });
    const ended = await until(async () => {
      const asked = { CommandId: Command?.CommandId ?? '', InstanceId: hostId };
      const result = await world.ssm.getCommandInvocation(asked).catch(() => undefined);
      return result?.Status === 'TimedOut' && result;
    });
    return ended.StatusDetails;
  }

  test('does not reach processes of the real computer by name', async () => {
    const result = await runScript(world.ssm, await build(), 'pkill -QUIT gitlab-runner');
    expect(result.StandardErrorContent).toBe(
      'pkill: not allowed on a machine of the sandbox\nfailed to run commands: exit status 1',
    );
  });

  test('is refused where the machine is gone', async () => {
    const hostId = await build();
    await world.sandbox.fleet.terminate(hostId);
    await expect(runScript(world.ssm, hostId, 'true')).rejects.toMatchObject({
      name: 'InvalidInstanceId',
      message: `Instances [[${hostId}]] not in a valid state for account 123456789012`,
    });
  });
});

/** A process that nobody has waited for yet is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
