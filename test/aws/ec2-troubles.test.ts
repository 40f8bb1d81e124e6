import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { chooseInstance, isDead } from '../../src/domain/instance.ts';
import type { PortFailure } from '../../src/ports/failure.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { answered } from '../support/answered.ts';
import { failureOf } from '../support/failure-of.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { connectCloud } from './cloud.ts';

const pink = stackShard('pink', 'linux');
const name = 'pink-linux_runner-manager';
const id = 'i-0123456789abcdef0';

interface Answer {
  readonly status?: number;
  readonly body: string;
}

let server: Server | undefined;
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server?.closeAllConnections();
      server?.close(() => resolve());
    }),
);

/** Creates an EC2 that returns the responses in turn and repeats the last one. */
async function ec2With(...answers: readonly Answer[]) {
  const actions: string[] = [];
  server = createServer(
    answered(async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const form = new URLSearchParams(text);
      const answer = answers[Math.min(actions.length, answers.length - 1)];
      actions.push(`${form.get('Action')}${form.get('DryRun') === 'true' ? ' dry' : ''}`);
      response.writeHead(answer?.status ?? 200, { 'content-type': 'text/xml' });
      response.end(answer?.body);
    }),
  );
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { instances, inventory } = connectCloud(`http://127.0.0.1:${port}`, {
    clock: createVirtualClock(),
  });
  return { instances, inventory, actions };
}

function described(...listed: { id?: string; state: string; name?: string }[]): Answer {
  const items = listed.map(
    (one) =>
      `<item><instancesSet><item><instanceId>${one.id ?? id}</instanceId><instanceState><name>${one.state}</name></instanceState><launchTime>2026-11-02T08:00:00.000Z</launchTime><tagSet><item><key>Name</key><value>${one.name ?? name}</value></item></tagSet></item></instancesSet></item>`,
  );
  return {
    body: `<DescribeInstancesResponse><reservationSet>${items.join('')}</reservationSet></DescribeInstancesResponse>`,
  };
}

const ending: Answer = {
  body: `<TerminateInstancesResponse><instancesSet><item><instanceId>${id}</instanceId></item></instancesSet></TerminateInstancesResponse>`,
};

function error(code: string, message: string, status = 400): Answer {
  return {
    status,
    body: `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>1</RequestID></Response>`,
  };
}

const rehearsed = error('DryRunOperation', 'Request would have succeeded', 412);

describe('instances by their Name tag', () => {
  test('count as none, even if EC2 has not yet listed a new instance', async () => {
    const { instances } = await ec2With(described());
    expect(chooseInstance(await instances.list(pink))).toEqual({ kind: 'none', ended: [] });
  });

  test('include terminated instances, which are never chosen', async () => {
    const { instances } = await ec2With(
      described({ id: 'i-00000001', state: 'terminated' }, { id: 'i-00000002', state: 'stopped' }),
    );
    const found = await instances.list(pink);
    expect(found.map(isDead)).toEqual([true, false]);
    expect(chooseInstance(found)).toMatchObject({ kind: 'one', instance: { id: 'i-00000002' } });
  });

  test('count as several, without a choice, if two are alive', async () => {
    const { instances } = await ec2With(
      described({ id: 'i-00000001', state: 'running' }, { id: 'i-00000002', state: 'pending' }),
    );
    expect(chooseInstance(await instances.list(pink))).toMatchObject({ kind: 'several' });
  });

  test.each<[string, Answer, Partial<PortFailure>]>([
    ['a login page', { body: '<html>Log in</html>' }, { kind: 'unexpected' }],
    [
      'a denial',
      error('UnauthorizedOperation', 'You are not authorized.', 403),
      {
        kind: 'denied',
        detail: 'UnauthorizedOperation: You are not authorized. (required: ec2:DescribeInstances)',
      },
    ],
  ])('cause a failure, not an empty list, after %s', async (_, answer, expected) => {
    const { instances } = await ec2With(answer);
    expect(await failureOf(instances.list(pink))).toMatchObject({ effect: 'none', ...expected });
  });
});

describe('a termination', () => {
  test('begins with a dry run, runs once, and is polled until EC2 shows it', async () => {
    const { instances, actions } = await ec2With(
      described({ state: 'running' }),
      rehearsed,
      ending,
      described({ state: 'running' }),
      described({ state: 'shutting-down' }),
    );
    expect(await instances.terminate({ id, shard: pink })).toBe('ending');
    expect(actions).toEqual([
      'DescribeInstances',
      'TerminateInstances dry',
      'TerminateInstances',
      'DescribeInstances',
      'DescribeInstances',
    ]);
  });

  test('sends nothing if the instance has another name', async () => {
    const { instances, actions } = await ec2With(described({ state: 'running', name: 'database' }));
    expect(await failureOf(instances.terminate({ id, shard: pink }))).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: `its Name tag is "database", not "${name}"`,
    });
    expect(actions).toEqual(['DescribeInstances']);
  });

  test('counts as denied after a refused dry run', async () => {
    const { instances, actions } = await ec2With(
      described({ state: 'running' }),
      error('UnauthorizedOperation', 'You are not authorized.', 403),
    );
    const failure = await failureOf(instances.terminate({ id, shard: pink }));
    expect(failure).toMatchObject({ kind: 'denied', effect: 'none' });
    expect(failure.detail).toContain('ec2:TerminateInstances');
    expect(actions).toEqual(['DescribeInstances', 'TerminateInstances dry']);
  });

  test('reports EC2’s own text if the instance is protected', async () => {
    const { instances } = await ec2With(
      described({ state: 'running' }),
      rehearsed,
      error('OperationNotPermitted', 'disableApiTermination'),
    );
    expect(await failureOf(instances.terminate({ id, shard: pink }))).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: 'OperationNotPermitted: disableApiTermination',
    });
  });

  test('does not count as done if EC2 accepts it but never shows it', async () => {
    const { instances } = await ec2With(
      described({ state: 'running' }),
      rehearsed,
      ending,
      described({ state: 'running' }),
    );
    expect(await failureOf(instances.terminate({ id, shard: pink }))).toMatchObject({
      kind: 'unexpected',
      effect: 'unknown',
    });
  });

  test('sends nothing if the instance is already terminated', async () => {
    const { instances } = await ec2With(described({ state: 'terminated' }));
    expect(await instances.terminate({ id, shard: pink })).toBe('ended_already');
  });

  test('refuses an instance that EC2 no longer knows', async () => {
    const { instances } = await ec2With(error('InvalidInstanceID.NotFound', 'no'));
    expect(await failureOf(instances.terminate({ id, shard: pink }))).toMatchObject({
      kind: 'refused',
      detail: 'EC2 lists no instance with this id',
    });
  });
});
