import { afterEach, describe, expect, test } from '@jest/globals';
import { createRunnerHost } from '../../src/adapters/aws/hosts/aws-runner-host.ts';
import { createSlowResponseNotice } from '../../src/adapters/transport/slow-response-notice.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { type FakeSsm, type Reply, startFakeSsm } from './fake-ssm.ts';
import { connect, dockerHost } from './sandbox-aws.ts';

const id = 'i-0123456789abcdef0';
const sent: Reply = { body: { Command: { CommandId: '11111111-2222-4333-8444-555555555555' } } };
const pending = invocation('Pending');
const begun = invocation('InProgress');
const ended = invocation('Success', 0);

let server: FakeSsm | undefined;
afterEach(() => server?.close());

function invocation(status: string, code = -1): Reply {
  const output = { StandardOutputContent: '', StandardErrorContent: '' };
  return { body: { Status: status, StatusDetails: status, ResponseCode: code, ...output } };
}

async function hostOver(...replies: readonly Reply[]) {
  server = await startFakeSsm(sent, ...replies);
  const clock = createVirtualClock();
  const random = { id: () => 'abcdefgh12345678', fraction: () => 0.5 };
  const told: string[] = [];
  const silence = createSlowResponseNotice({ clock, tell: (line) => told.push(line) });
  const ssm = connect(server.url, { clock, random });
  const redact = (text: string) => text;
  const host = createRunnerHost({ ssm, settings: dockerHost, clock, random, redact, silence });
  return { host, told, clock };
}

describe('a host that does not answer', () => {
  const line = `! Host ${id}, asked by Run Command, has not answered for 5s; it is still waited for, 1m 45s in all.\n`;

  test.each([
    ['its agent fetches nothing', pending],
    ['it has begun to look and does not end', begun],
  ])('is told of once, with how long it is waited for, where %s', async (_, reply) => {
    const { host, told } = await hostOver(reply);
    expect(await host.look(id)).toMatchObject({ kind: 'silent' });
    expect(told).toEqual([line]);
  });

  test('is waited for no longer than whoever looks wants to', async () => {
    const { host, told, clock } = await hostOver(begun);
    expect(await host.look(id, { withinMs: 20_000 })).toEqual({
      kind: 'silent',
      reason: 'it has not answered within 20s: the command did not end on the host (InProgress)',
    });
    expect(clock.elapsed()).toBeLessThan(23_000);
    expect(told).toEqual([line.replace('1m 45s', '20s')]);
  });

  test('but not where it has begun to act, which may take its time', async () => {
    const { host, told } = await hostOver(begun, begun, begun, begun, begun, ended);
    await host.quit(id).catch(() => undefined);
    expect(told).toEqual([]);
  });
});
