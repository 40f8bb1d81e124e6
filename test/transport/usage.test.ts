import { expect, test } from '@jest/globals';
import { createAwsClient } from '../../src/adapters/aws/aws-client.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createFakeServer, createTestTransport, json } from './fake-server.ts';
import { ok, read, write } from './requests.ts';
import { createVirtualClock } from './virtual-clock.ts';

const minuteDefault = { source: 'default', calls: 1500, per: 'minute' };

test('the calls to a host are counted for the run, the last minute and the last hour', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const { transport } = createTestTransport(createFakeServer(ok).fetch, { budget, clock });
  const seen = () =>
    budget.usage().map(({ calls, last_minute, last_hour }) => [calls, last_minute, last_hour]);
  expect(seen()).toEqual([]);
  await transport(read);
  await clock.sleep(61 * 60_000);
  await transport(read);
  await clock.sleep(61_000);
  await transport(read);
  await transport(write);
  expect(seen()).toEqual([[4, 2, 3]]);
  expect(budget.usage()).toMatchObject([
    { service: 'GitLab', endpoint: read.url.host, limits: [minuteDefault], remaining: null },
  ]);
});

test('throttled responses and retried calls are counted', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const { fetch } = createFakeServer(json(429, {}, { 'retry-after': '2' }), ok);
  await createTestTransport(fetch, { budget, clock }).transport(read);
  expect(budget.usage()).toMatchObject([{ calls: 2, throttled: 1 }]);
});

test('the remaining calls in a response are known until their period ends', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const resetAt = clock.now() + 60_000;
  const headers = {
    'ratelimit-limit': '2000',
    'ratelimit-observed': '13',
    'ratelimit-remaining': '1987',
    'ratelimit-reset': `${resetAt / 1000}`,
  };
  const { fetch } = createFakeServer(json(200, {}, headers));
  await createTestTransport(fetch, { budget, clock }).transport(read);
  const remaining = { calls: 1987, of: 2000, resets_at: new Date(resetAt).toISOString() };
  const limits = [{ source: 'response_header', calls: 1800, per: 'minute' }];
  expect(budget.usage()).toMatchObject([{ remaining, limits }]);
  await clock.sleep(60_000);
  expect(budget.usage()).toMatchObject([{ remaining: null, limits }]);
});

test("services of AWS have the names of AWS's documentation, Parameter Store with reads and writes", async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  const client = { middlewareStack: { add: () => {} }, config: {}, destroy: () => {} };
  const service = (name: string) =>
    createAwsClient(
      name,
      {
        environment: {},
        clock,
        budget,
        random: { fraction: () => 0, id: () => 'x' } as never,
        redact: (text) => text,
      },
      async () => client,
    );
  const ssm = service('SSM');
  const call = async () => 'a value';
  let refusals = 1;
  const throttledOnce = async () => {
    refusals -= 1;
    if (refusals < 0) return 'a value';
    const $metadata = { httpStatusCode: 400 };
    const name = 'ThrottlingException';
    throw Object.assign(new Error('slow down'), { name, $fault: 'client', $metadata });
  };
  await ssm.send({ what: 'GetParameter /x', effect: 'read', counts: 'parameters', call });
  await ssm.send({ what: 'PutParameter /x', effect: 'write', counts: 'parameters', call });
  await ssm.send({ what: 'SendCommand', effect: 'read', call: throttledOnce });
  await service('EC2').send({ what: 'DescribeInstances', effect: 'read', call });
  expect(
    budget.usage().map((one) => [one.service, one.endpoint, one.calls, one.throttled, one.limits]),
  ).toEqual([
    ['Parameter Store', 'reads', 1, 0, [{ ...minuteDefault, calls: 1800 }]],
    ['Parameter Store', 'writes', 1, 0, [{ ...minuteDefault, calls: 150 }]],
    ['Systems Manager', '', 2, 1, [minuteDefault]],
    ['EC2', '', 1, 0, [minuteDefault]],
  ]);
});
