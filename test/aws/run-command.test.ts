import { afterEach, describe, expect, test } from '@jest/globals';
import { createRunnerHost } from '../../src/adapters/aws/hosts/aws-runner-host.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { type FakeSsm, type Reply, refusal, startFakeSsm } from './fake-ssm.ts';
import { connect, dockerHost } from './sandbox-aws.ts';

const id = 'i-0123456789abcdef0';
const sent: Reply = { body: { Command: { CommandId: '11111111-2222-4333-8444-555555555555' } } };
const notYet = refusal('InvocationDoesNotExist', '');
const waiting = invocation({ Status: 'InProgress', StatusDetails: 'InProgress', ResponseCode: -1 });

let server: FakeSsm | undefined;
afterEach(() => server?.close());

function invocation(fields: Record<string, unknown>): Reply {
  return { body: { StandardOutputContent: '', StandardErrorContent: '', ...fields } };
}

function ended(output: string, code = 0): Reply {
  return invocation({
    Status: code === 0 ? 'Success' : 'Failed',
    StatusDetails: code === 0 ? 'Success' : 'Failed',
    ResponseCode: code,
    StandardOutputContent: output,
  });
}

async function hostOver(...replies: readonly Reply[]) {
  server = await startFakeSsm(...replies);
  const clock = createVirtualClock();
  const random = { id: () => 'abcdefgh12345678', fraction: () => 0.5 };
  const redact = (text: string) => text.replaceAll('glrt-secret', '[redacted]');
  const ssm = connect(server.url, { clock, random });
  const host = createRunnerHost({ ssm, settings: dockerHost, clock, random, redact });
  return { host, server, clock };
}

describe('a look', () => {
  test('waits for an invocation that is not there yet, and for its end', async () => {
    const { host } = await hostOver(
      sent,
      notYet,
      waiting,
      ended('inspect_code=0\ninspect=running no\njobs_code=7\nlog=hello glrt-secret\nend=1\n'),
    );
    expect(await host.look(id)).toEqual({
      kind: 'report',
      process: 'running',
      restarts: false,
      jobs: undefined,
      listener: 'off',
      ready: 'not_offered',
      log: ['hello [redacted]'],
    });
  });

  test.each<[string, Reply, string]>([
    [
      'was not delivered',
      invocation({ Status: 'TimedOut', StatusDetails: 'Delivery Timed Out' }),
      'its agent did not fetch the command in time',
    ],
    [
      'hung on the host',
      invocation({ Status: 'TimedOut', StatusDetails: 'ExecutionTimedOut' }),
      "the command began and did not end within 60s: the host's disk or docker hangs",
    ],
    [
      'could not be delivered',
      invocation({ Status: 'Failed', StatusDetails: 'Undeliverable' }),
      'Run Command could not deliver the command to its agent',
    ],
    [
      'was cancelled',
      invocation({ Status: 'Cancelled', StatusDetails: 'Cancelled' }),
      'somebody cancelled the command',
    ],
    ['broke off', ended('', 1), 'the look at the host broke off: exit code 1'],
  ])('that %s is silent and says why', async (_, reply, reason) => {
    const { host } = await hostOver(sent, reply);
    expect(await host.look(id)).toEqual({ kind: 'silent', reason });
  });

  test('at a host that Systems Manager does not know is silent', async () => {
    const { host } = await hostOver(refusal('InvalidInstanceId'));
    expect(await host.look(id)).toEqual({
      kind: 'silent',
      reason: `Systems Manager does not know ${id} as a host that can be asked (InvalidInstanceId): its agent is not registered, it is terminated, or the role may not send it commands`,
    });
  });

  test('whose invocation never ends is silent after its deadline', async () => {
    const { host, clock } = await hostOver(sent, waiting);
    expect(await host.look(id)).toEqual({
      kind: 'silent',
      reason: 'the command did not end on the host (InProgress) for 105s',
    });
    expect(clock.elapsed()).toBeLessThan(110_000);
  });

  test('that is denied fails, which is not the host being silent', async () => {
    const { host } = await hostOver(refusal('AccessDeniedException'));
    await expect(host.look(id)).rejects.toMatchObject({ kind: 'denied', effect: 'none' });
  });

  test('with a status that nobody documented fails', async () => {
    const { host } = await hostOver(sent, invocation({ Status: 'Sleeping' }));
    await expect(host.look(id)).rejects.toMatchObject({
      kind: 'unexpected',
      detail: 'the answer has the Status "Sleeping"',
    });
  });
});

describe('a quit', () => {
  test('whose order was lost is not sent again', async () => {
    const { host, server } = await hostOver('reset');
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'unreachable', effect: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });

  test('whose end cannot be seen may have happened', async () => {
    const { host } = await hostOver(sent, refusal('AccessDeniedException'));
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'denied', effect: 'unknown' });
  });

  const notFetched = { Status: 'TimedOut', StatusDetails: 'DeliveryTimedOut', ResponseCode: -1 };
  test('that was not delivered did nothing', async () => {
    const { host } = await hostOver(sent, invocation(notFetched));
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'unreachable', effect: 'none' });
  });

  // AWS ends with the same word what was on its way when the agent died.
  test.each<[string, readonly Reply[]]>([
    ['was seen to run', [waiting, invocation(notFetched)]],
    [
      'has a time at which it began',
      [invocation({ ...notFetched, ExecutionStartDateTime: '2026-11-02T08:00:00.000Z' })],
    ],
    ['has an exit code', [invocation({ ...notFetched, ResponseCode: 0 })]],
    [
      'was expired at the end of its whole time',
      [
        ...Array(120).fill(invocation({ Status: 'Pending', ResponseCode: -1 })),
        invocation(notFetched),
      ],
    ],
  ])('that %s and was not delivered by its last word may have happened', async (_, replies) => {
    const { host } = await hostOver(sent, ...replies);
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'unreachable', effect: 'unknown' });
  });

  test.each<[string, string, Awaited<ReturnType<typeof quitOver>>]>([
    ['was sent', 'result=sent\nend=1', { kind: 'sent' }],
    ['found it stopped', 'result=already_stopped\nend=1', { kind: 'already_stopped' }],
    ['broke off', 'result=sent', { kind: 'refused', reason: 'the script did not say what it did' }],
    [
      'found no container',
      'detail=Error: No such container: gitlab-runner\nresult=unknown_container\nend=1',
      {
        kind: 'refused',
        reason: 'docker does not know the container: "Error: No such container: gitlab-runner"',
      },
    ],
    ['said nothing', '', { kind: 'refused', reason: 'the script did not say what it did' }],
  ])('that %s says so', async (_, output, expected) => {
    expect(await quitOver(output)).toEqual(expected);
  });

  async function quitOver(output: string) {
    const { host } = await hostOver(sent, ended(output));
    return host.quit(id);
  }
});

describe('a probe', () => {
  const steps = 'image=0\nvolume=0\ncontainer=0\ncontainer_removal=0\nvolume_removal=0\n';
  test.each<[string, string, string | undefined]>([
    ['did everything', `${steps}end=1`, undefined],
    ['broke off at its end', steps, 'the check did not reach its end'],
    [
      'found a full disk',
      'image=0\nvolume=0\ncontainer=125\ndetail=write /x: no space left on device\nend=1',
      'the disk is full: running a container that writes to its volume: "write /x: no space left on device"',
    ],
    [
      'found a disk that cannot be written',
      'image=0\nvolume=1\ndetail=mkdir /x: read-only file system\nend=1',
      'the file system is read-only: making a volume: "mkdir /x: read-only file system"',
    ],
    [
      'hung',
      'image=0\nvolume=0\ncontainer=124\nend=1',
      'the disk or docker hangs: running a container that writes to its volume: exit code 124',
    ],
    [
      'could not remove its volume',
      `${steps.replace('volume_removal=0', 'volume_removal=1')}end=1`,
      'removing the volume: exit code 1',
    ],
  ])('that %s says so', async (_, output, reason) => {
    const { host } = await hostOver(sent, ended(output));
    expect(await host.probeWorkload(id)).toEqual(
      reason === undefined ? { kind: 'worked' } : { kind: 'failed', reason },
    );
  });

  test('that cannot be made says nothing about the host', async () => {
    const { host } = await hostOver(sent, ended('docker=127\nend=1'));
    await expect(host.probeWorkload(id)).rejects.toMatchObject({
      kind: 'refused',
      detail: 'the host has no docker command',
    });
  });
});

describe('hosts', () => {
  const shard = { shard: 'pink', runnerName: 'linux' } as never;

  test('are listed from all pages', async () => {
    const entry = (InstanceId: string, PingStatus: string) => ({ InstanceId, PingStatus });
    const { host, server } = await hostOver(
      { body: { InstanceInformationList: [entry(id, 'Online')], NextToken: 'more' } },
      { body: { InstanceInformationList: [entry('i-00000002', 'Inactive')] } },
    );
    expect(await host.list(shard)).toEqual([
      { id, agent: 'online' },
      { id: 'i-00000002', agent: 'lost' },
    ]);
    expect(server.requests[0]?.body).toEqual({
      Filters: [{ Key: 'tag:Name', Values: ['pink-linux_runner-manager'] }],
      MaxResults: 50,
    });
  });

  test.each<[string, unknown]>([
    ['without a list', {}],
    ['with an entry without its id', { InstanceInformationList: [{ PingStatus: 'Online' }] }],
  ])('answered %s are not none', async (_, body) => {
    const { host } = await hostOver({ body });
    await expect(host.list(shard)).rejects.toMatchObject({ kind: 'unexpected' });
  });

  test('whose id is no id are asked nothing', async () => {
    const { host, server } = await hostOver(sent);
    await expect(host.look("i-1'; reboot")).rejects.toMatchObject({ kind: 'refused' });
    expect(server.requests).toEqual([]);
  });
});
