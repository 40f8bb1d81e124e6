import { afterEach, describe, expect, test } from '@jest/globals';
import { createRunnerHost } from '../../../../src/adapters/aws/hosts/aws-runner-host.ts';
import { createVirtualClock } from '../../../transport/virtual-clock.ts';
import { type FakeSsm, type Reply, startFakeSsm } from '../../fake-ssm.ts';
import { connect, dockerHost } from '../../sandbox-aws.ts';

const id = 'i-0123456789abcdef0';
const sent: Reply = { body: { Command: { CommandId: '11111111-2222-4333-8444-555555555555' } } };
const invocation = (Status: string, ResponseCode: number, StandardOutputContent = ''): Reply => ({
  body: { Status, StatusDetails: Status, ResponseCode, StandardOutputContent },
});

let server: FakeSsm | undefined;
afterEach(() => server?.close());

async function hostOver(...replies: readonly Reply[]) {
  server = await startFakeSsm(...replies);
  const clock = createVirtualClock();
  const random = { id: () => 'abcdefgh12345678', fraction: () => 0.5 };
  const ssm = connect(server.url, { clock, random });
  const host = createRunnerHost({ ssm, settings: dockerHost, clock, random, redact: String });
  return { host, server, clock };
}

describe('a check', () => {
  test('that waits on its host has that much longer to end, and is polled every second at least', async () => {
    const { host, clock, server } = await hostOver(sent, invocation('InProgress', -1));
    expect(await host.look(id, { untilIdleMs: 30_500 })).toEqual({
      kind: 'silent',
      reason: 'the command did not end on the host (InProgress) for 135s',
    });
    expect(clock.elapsed()).toBeLessThan(136_000);
    const [order, ...polls] = server.requests;
    expect(order?.body).toMatchObject({
      Parameters: {
        executionTimeout: ['90'],
        commands: expect.arrayContaining(["wait='30'"]),
      },
    });
    expect(polls.length).toBeGreaterThan(135_000 / 1000);
  });

  test('that waits for longer than a host waits is one of half a minute', async () => {
    const { host, server } = await hostOver(sent, invocation('Success', 0, 'jobs_code=7\nend=1\n'));
    await host.look(id, { untilIdleMs: 3_600_000 });
    expect(JSON.stringify(server.requests[0])).toContain("wait='30'");
  });
});
