import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createParameterStore } from '../../src/adapters/aws/state-store/parameter-store.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { startChild } from '../../src/adapters/terraform/terraform-process.ts';
import { openCalls } from '../../src/app/compose/port-calls.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Ports } from '../../src/ports/ports.ts';
import { type FakeSsm, startFakeSsm } from '../aws/fake-ssm.ts';
import { connect } from '../aws/sandbox-aws.ts';

// Other tests cover the other waits. test/scenarios/drain/cancelled-waits.test.ts covers lock,
// drain and healthcheck. test/transport/cancelling.test.ts covers GitLab and GitHub.
// test/command/failures.test.ts covers a command, test/cli/config-file.test.ts the configuration,
// and test/system a question.
const reason = new Error('received SIGTERM');

describe('a signal during a wait for Systems Manager', () => {
  let server: FakeSsm;
  afterEach(() => server.close());

  test.each(['find', 'listVersions'] as const)(
    'ends the wait if Systems Manager does not respond: %s',
    async (method) => {
      server = await startFakeSsm('silence');
      const controller = new AbortController();
      // Only the signal can end this wait.
      const ssm = connect(server.url, {
        signal: () => controller.signal,
        requestTimeoutMs: 3_600_000,
      });
      const call = createParameterStore({ ssm })[method]('/gitlab/dedicated/runner/linux/a');
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      ssm.close();
    },
  );

  test('ends the wait if Systems Manager throttles', async () => {
    server = await startFakeSsm({ status: 400, body: { __type: 'ThrottlingException' } });
    const controller = new AbortController();
    const clock: Clock = {
      ...createSystemClock(),
      sleep: (_, signal) => {
        controller.abort(reason);
        return createSystemClock().sleep(3_600_000, signal);
      },
    };
    const ssm = connect(server.url, { signal: () => controller.signal, clock });
    await expect(createParameterStore({ ssm }).find('/a')).rejects.toBe(reason);
    ssm.close();
  });
});

describe('a call that ignores its cancellation', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('ends after five seconds', async () => {
    jest.useFakeTimers();
    const controller = new AbortController();
    const hangs = () => new Promise<never>(() => {});
    const { cancelable } = openCalls({
      signal: controller.signal,
      stage: 'provision',
      again: 'hosted-runner provision --runner linux',
    }).around({ registry: { find: hangs } } as unknown as Ports);
    const rejection = expect(cancelable.registry.find('1' as never)).rejects.toMatchObject({
      code: 'Cancelled',
      exitCode: 130,
    });
    controller.abort(reason);
    jest.advanceTimersByTime(5000);
    await rejection;
  });
});

describe('Terraform after a signal', () => {
  /** Creates a clock whose waits of ten minutes end at once. Other waits last. */
  function hastyClock(waited: number[]): Clock {
    const system = createSystemClock();
    return {
      ...system,
      sleep(durationMs, signal) {
        waited.push(durationMs);
        return system.sleep(durationMs === 600_000 ? 0 : durationMs, signal);
      },
    };
  }

  async function interrupt(onInterrupt: string) {
    const controller = new AbortController();
    const waited: number[] = [];
    const child = startChild({
      file: process.execPath,
      arguments: [
        '-e',
        `process.on('SIGINT', () => {${onInterrupt}}); setInterval(() => {}, 1000); console.log('up')`,
      ],
      environment: {},
      workingDirectory: process.cwd(),
      timeoutMs: 3_600_000,
      clock: hastyClock(waited),
      signal: controller.signal,
    });
    child.stdout.once('data', () => controller.abort(reason));
    return { end: await child.end, waited };
  }

  test('ends by itself if it reacts', async () => {
    expect((await interrupt('process.exit(1)')).end).toEqual({ kind: 'cancelled' });
  });

  test('gets ten minutes to write its state if it hangs, and is then killed', async () => {
    const { end, waited } = await interrupt('');
    expect(end).toEqual({ kind: 'cancelled' });
    expect(waited).toEqual([3_600_000, 600_000]);
  });
});
