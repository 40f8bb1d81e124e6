import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isAlive, openSandbox, runScript, until } from './running-sandbox.ts';

const place = { runnerName: 'linux', shard: 'pink' };

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

  test('returns its two outputs and its exit code', async () => {
    const result = await runScript(world.ssm, await build(), 'echo out\necho err >&2\nexit 3');
    expect(result).toMatchObject({
      Status: 'Failed',
      ResponseCode: 3,
      StandardOutputContent: 'out\n',
      StandardErrorContent: 'err\nfailed to run commands: exit status 3',
    });
  });

  test('shows 24000 characters of a long output, and marks the cut', async () => {
    const result = await runScript(world.ssm, await build(), 'yes 0123456789 | head -n 5000');
    expect(result.StandardOutputContent?.length).toBe(24_000);
    expect(result.StandardOutputContent).toMatch(/[\d\n]--output truncated--$/);
  });

  test('ends at its timeout with every process that it started', async () => {
    const hostId = await build();
    let pid = 0;
    // The timeout grows until this machine can start a process within it.
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
      const input = { CommandId: Command?.CommandId ?? '', InstanceId: hostId };
      const result = await world.ssm.getCommandInvocation(input).catch(() => undefined);
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

  test('cannot run if the machine is gone', async () => {
    const hostId = await build();
    await world.sandbox.fleet.terminate(hostId);
    await expect(runScript(world.ssm, hostId, 'true')).rejects.toMatchObject({
      name: 'InvalidInstanceId',
      message: `Instances [[${hostId}]] not in a valid state for account 123456789012`,
    });
  });
});
