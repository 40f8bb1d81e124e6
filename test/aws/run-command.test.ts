import { describe, expect, test } from '@jest/globals';
import { type Reply, refusal } from './fake-ssm.ts';
import { ended, hostOver, hostId as id, invocation, sent, waiting } from './host-orders.ts';

const notYet = refusal('InvocationDoesNotExist', '');

describe('a look', () => {
  test('waits for an invocation that is not there yet, and for its end', async () => {
    const { host } = await hostOver([
      sent,
      notYet,
      waiting,
      ended('inspect_code=0\ninspect=running no\njobs_code=7\nlog=hello glrt-secret\nend=1\n'),
    ]);
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
      invocation('TimedOut', { StatusDetails: 'Delivery Timed Out' }),
      'its agent did not fetch the command in time',
    ],
    [
      'hung on the host',
      invocation('TimedOut', { StatusDetails: 'ExecutionTimedOut' }),
      "the command began and did not end within 60s: the host's disk or docker hangs",
    ],
    [
      'could not be delivered',
      invocation('Failed', { StatusDetails: 'Undeliverable' }),
      'Run Command could not deliver the command to its agent',
    ],
    ['was cancelled', invocation('Cancelled'), 'somebody cancelled the command'],
    ['broke off', ended('', 1), 'the look at the host broke off: exit code 1'],
  ])('that %s is silent and says why', async (_, reply, reason) => {
    const { host } = await hostOver([sent, reply]);
    expect(await host.look(id)).toEqual({ kind: 'silent', reason });
  });

  test('at a host that Systems Manager does not know is silent', async () => {
    const { host } = await hostOver([refusal('InvalidInstanceId')]);
    expect(await host.look(id)).toEqual({
      kind: 'silent',
      reason: `Systems Manager does not know ${id} as a host that can be asked (InvalidInstanceId): its agent is not registered, it is terminated, or the role may not send it commands`,
    });
  });

  test('that is denied fails, which is not the host being silent', async () => {
    const { host } = await hostOver([refusal('AccessDeniedException')]);
    await expect(host.look(id)).rejects.toMatchObject({ kind: 'denied', effect: 'none' });
  });

  test('with a status that nobody documented fails', async () => {
    const { host } = await hostOver([sent, invocation('Sleeping')]);
    await expect(host.look(id)).rejects.toMatchObject({
      kind: 'unexpected',
      detail: 'the answer has the Status "Sleeping"',
    });
  });
});

describe('a quit', () => {
  test('whose end cannot be seen may have happened', async () => {
    const { host } = await hostOver([sent, refusal('AccessDeniedException')]);
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'denied', effect: 'unknown' });
  });

  const expired = { StatusDetails: 'DeliveryTimedOut', ResponseCode: -1 };
  const notFetched = invocation('TimedOut', expired);
  test('that was not delivered did nothing', async () => {
    const { host } = await hostOver([sent, notFetched]);
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'unreachable', effect: 'none' });
  });

  // AWS ends with the same word what was on its way when the agent died.
  test.each<[string, readonly Reply[]]>([
    ['was seen to run', [waiting, notFetched]],
    [
      'has a time at which it began',
      [invocation('TimedOut', { ...expired, ExecutionStartDateTime: '2026-11-02T08:00:00.000Z' })],
    ],
    ['has an exit code', [invocation('TimedOut', { ...expired, ResponseCode: 0 })]],
    [
      'was expired at the end of its whole time',
      [...Array(120).fill(invocation('Pending', { ResponseCode: -1 })), notFetched],
    ],
  ])('that %s and was not delivered by its last word may have happened', async (_, replies) => {
    const { host } = await hostOver([sent, ...replies]);
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'unreachable', effect: 'unknown' });
  });

  test.each<[string, string, Awaited<ReturnType<typeof quitOver>>]>([
    ['was sent', 'result=sent\nend=1', { kind: 'sent' }],
    ['broke off', 'result=sent', { kind: 'refused', reason: 'the script did not say what it did' }],
    [
      'found no container',
      'detail=Error: No such container: gitlab-runner\nresult=unknown_container\nend=1',
      {
        kind: 'refused',
        reason: 'docker does not know the container: "Error: No such container: gitlab-runner"',
      },
    ],
  ])('that %s says so', async (_, output, expected) => {
    expect(await quitOver(output)).toEqual(expected);
  });

  async function quitOver(output: string) {
    const { host } = await hostOver([sent, ended(output)]);
    return host.quit(id);
  }
});

describe('a probe', () => {
  const steps = 'image=0\nvolume=0\ncontainer=0\ncontainer_removal=0\nvolume_removal=0\n';
  test.each<[string, string, string | undefined]>([
    ['did everything', `${steps}end=1`, undefined],
    ['broke off at its end', steps, 'the check did not reach its end'],
  ])('that %s says so', async (_, output, reason) => {
    const { host } = await hostOver([sent, ended(output)]);
    expect(await host.probeWorkload(id)).toEqual(
      reason === undefined ? { kind: 'worked' } : { kind: 'failed', reason },
    );
  });

  test('that cannot be made says nothing about the host', async () => {
    const { host } = await hostOver([sent, ended('docker=127\nend=1')]);
    await expect(host.probeWorkload(id)).rejects.toMatchObject({
      kind: 'refused',
      detail: 'the host has no docker command',
    });
  });
});

test('a host whose id is no id is asked nothing', async () => {
  const { host, server } = await hostOver([sent]);
  await expect(host.look("i-1'; reboot")).rejects.toMatchObject({ kind: 'refused' });
  expect(server.requests).toEqual([]);
});
