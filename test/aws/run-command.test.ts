import { describe, expect, test } from '@jest/globals';
import { type Reply, refusal } from './fake-ssm.ts';
import { ended, hostOver, hostId as id, invocation, sent, waiting } from './host-orders.ts';

const notYet = refusal('InvocationDoesNotExist', '');

describe('a host check', () => {
  test('waits for an invocation that is not visible yet, and for its end', async () => {
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
      'the command started but did not end within 60s: the disk or docker of the host hangs',
    ],
    [
      'was undeliverable',
      invocation('Failed', { StatusDetails: 'Undeliverable' }),
      'Run Command could not deliver the command to its agent',
    ],
    ['was cancelled', invocation('Cancelled'), 'the command was cancelled outside hosted-runner'],
    ['broke off', ended('', 1), 'the check of the host ended early: exit code 1'],
  ])('reports no response and the reason if the command %s', async (_, reply, reason) => {
    const { host } = await hostOver([sent, reply]);
    expect(await host.look(id)).toEqual({ kind: 'silent', reason });
  });

  test('reports no response from a host that Systems Manager does not know', async () => {
    const { host } = await hostOver([refusal('InvalidInstanceId')]);
    expect(await host.look(id)).toEqual({
      kind: 'silent',
      reason: `Systems Manager cannot send commands to ${id} (InvalidInstanceId): its agent is not registered, it is terminated, or the role lacks the permission`,
    });
  });

  test('fails if it is denied, and reports no missing response', async () => {
    const { host } = await hostOver([refusal('AccessDeniedException')]);
    await expect(host.look(id)).rejects.toMatchObject({ kind: 'denied', effect: 'none' });
  });

  test('fails on a status that is not documented', async () => {
    const { host } = await hostOver([sent, invocation('Sleeping')]);
    await expect(host.look(id)).rejects.toMatchObject({
      kind: 'unexpected',
      detail: 'the response has the Status "Sleeping"',
    });
  });
});

describe('a quit command', () => {
  test('may have taken effect if its end cannot be seen', async () => {
    const { host } = await hostOver([sent, refusal('AccessDeniedException')]);
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'denied', effect: 'unknown' });
  });

  const expired = { StatusDetails: 'DeliveryTimedOut', ResponseCode: -1 };
  const notFetched = invocation('TimedOut', expired);
  test('changes nothing if it was not delivered', async () => {
    const { host } = await hostOver([sent, notFetched]);
    await expect(host.quit(id)).rejects.toMatchObject({ kind: 'unreachable', effect: 'none' });
  });

  // AWS reports the same status for any command in flight when the agent died.
  test.each<[string, readonly Reply[]]>([
    ['was reported as running', [waiting, notFetched]],
    [
      'had a start time',
      [invocation('TimedOut', { ...expired, ExecutionStartDateTime: '2026-11-02T08:00:00.000Z' })],
    ],
    ['had an exit code', [invocation('TimedOut', { ...expired, ResponseCode: 0 })]],
    [
      'expired at the end of its whole time',
      [...Array(120).fill(invocation('Pending', { ResponseCode: -1 })), notFetched],
    ],
  ])(
    'may have taken effect if it %s before Systems Manager reported it undelivered',
    async (_, replies) => {
      const { host } = await hostOver([sent, ...replies]);
      await expect(host.quit(id)).rejects.toMatchObject({ kind: 'unreachable', effect: 'unknown' });
    },
  );

  test.each<[string, string, Awaited<ReturnType<typeof quitOver>>]>([
    ['was sent', 'result=sent\nend=1', { kind: 'sent' }],
    [
      'broke off',
      'result=sent',
      { kind: 'refused', reason: 'the script did not report its result' },
    ],
    [
      'found no container',
      'detail=Error: No such container: gitlab-runner\nresult=unknown_container\nend=1',
      {
        kind: 'refused',
        reason: 'docker lists no such container: "Error: No such container: gitlab-runner"',
      },
    ],
  ])('reports that it %s', async (_, output, expected) => {
    expect(await quitOver(output)).toEqual(expected);
  });

  async function quitOver(output: string) {
    const { host } = await hostOver([sent, ended(output)]);
    return host.quit(id);
  }
});

describe('a workload probe', () => {
  const steps = 'image=0\nvolume=0\ncontainer=0\ncontainer_removal=0\nvolume_removal=0\n';
  test.each<[string, string, string | undefined]>([
    ['did everything', `${steps}end=1`, undefined],
    ['broke off at its end', steps, 'the check did not reach its end'],
  ])('reports that it %s', async (_, output, reason) => {
    const { host } = await hostOver([sent, ended(output)]);
    expect(await host.probeWorkload(id)).toEqual(
      reason === undefined ? { kind: 'worked' } : { kind: 'failed', reason },
    );
  });

  test('reports nothing about the host if it cannot run', async () => {
    const { host } = await hostOver([sent, ended('docker=127\nend=1')]);
    await expect(host.probeWorkload(id)).rejects.toMatchObject({
      kind: 'refused',
      detail: 'the host has no docker command',
    });
  });
});

test('a host without a valid id is never queried', async () => {
  const { host, server } = await hostOver([sent]);
  await expect(host.look("i-1'; reboot")).rejects.toMatchObject({ kind: 'refused' });
  expect(server.requests).toEqual([]);
});
