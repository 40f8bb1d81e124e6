import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openSandbox } from '../hosts/running-sandbox.ts';

/** Parameter Store is called through the released SDK. */
describe('Parameter Store', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let count = 0;
  beforeAll(async () => {
    world = await openSandbox();
  });
  afterEach(() => world.sandbox.faults.clear());
  afterAll(() => world.close());

  const nextName = () => {
    count += 1;
    return `/gitlab/dedicated/runner/stack-${count}/deployment_status`;
  };
  const create = (name: string, value = 'one', more = {}) =>
    world.ssm.putParameter({ Name: name, Value: value, Type: 'String', ...more });
  const overwrite = (name: string, value: string) =>
    world.ssm.putParameter({ Name: name, Value: value, Overwrite: true });
  const read = (name: string) => world.ssm.getParameter({ Name: name, WithDecryption: true });

  test('requires a type on creation', async () => {
    await expect(overwrite(nextName(), 'one')).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'A parameter type is required when you create a parameter.',
    });
  });

  test('keeps the newest 100 versions, and shows 50 on a page', async () => {
    const name = nextName();
    await create(name, '1');
    for (let value = 2; value <= 102; value += 1) await overwrite(name, String(value));
    const first = await world.ssm.getParameterHistory({ Name: name });
    const { NextToken } = first;
    const second = await world.ssm.getParameterHistory({ Name: name, NextToken });
    const [older, newer] = [first, second].map(({ Parameters = [] }) =>
      Parameters.map(({ Version }) => Version),
    );
    expect([older?.length, older?.at(-1), older?.[0]]).toEqual([50, 3, 52]);
    expect([newer?.length, newer?.at(-1), newer?.[0]]).toEqual([50, 53, 102]);
    expect(second.NextToken).toBeUndefined();
  });

  test('returns a secret in clear text only with decryption', async () => {
    const name = nextName();
    await create(name, 'glrt-secret', { Type: 'SecureString' });
    expect((await read(name)).Parameter).toMatchObject({
      Type: 'SecureString',
      Value: 'glrt-secret',
    });
    const sealed = await world.ssm.getParameter({ Name: name });
    expect(sealed.Parameter?.Value).not.toContain('glrt-secret');
  });

  test('lists the parameters below a path, one level or all', async () => {
    const base = `/list-${count}`;
    for (const name of ['a', 'b/c', 'd']) await create(`${base}/${name}`);
    const below = async (recursive: boolean) => {
      const answer = await world.ssm.getParametersByPath({ Path: base, Recursive: recursive });
      return answer.Parameters?.map(({ Name }) => Name?.slice(base.length));
    };
    expect(await below(false)).toEqual(['/a', '/d']);
    expect(await below(true)).toEqual(['/a', '/b/c', '/d']);
    const several = await world.ssm.getParameters({ Names: [`${base}/a`, `${base}/x`] });
    expect(several.InvalidParameters).toEqual([`${base}/x`]);
  });

  test('describes pattern and version without the value', async () => {
    const name = nextName();
    await create(name, 'pink', { AllowedPattern: '^p', Description: 'which one' });
    const { Parameters } = await world.ssm.describeParameters({
      ParameterFilters: [{ Key: 'Name', Values: [name] }],
    });
    expect(Parameters).toMatchObject([{ Name: name, AllowedPattern: '^p', Version: 1 }]);
  });

  test('returns an older value if a fault requests it', async () => {
    const name = nextName();
    await create(name, 'old');
    world.sandbox.clock.advance(60_000);
    await overwrite(name, 'new');
    world.sandbox.faults.add({ id: 'stale', service: 'ssm', effect: { kind: 'stale', ms: 5000 } });
    expect((await read(name)).Parameter?.Value).toBe('old');
  });

  test('reports the account', async () => {
    const response = await fetch(world.sandbox.ssmUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
    });
    expect(await response.text()).toContain('<Account>123456789012</Account>');
  });

  test('requires credentials', async () => {
    const response = await fetch(world.sandbox.ssmUrl, {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSSM.GetParameter' },
      body: '{"Name":"/x"}',
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { __type: 'MissingAuthenticationTokenException', message: 'Missing Authentication Token' },
    ]);
  });
});

describe('the rate of parameter writes', () => {
  test('follows the limit of AWS, with a burst of ten', async () => {
    // The rate is so low that no write is freed during the test on a slow machine.
    const world = await openSandbox({ windows: { parameterWritesPerSecond: 0.01 } });
    const write = (value: number) =>
      world.ssm.putParameter({
        Name: '/rate',
        Value: String(value),
        Type: 'String',
        Overwrite: true,
      });
    for (let value = 0; value < 10; value += 1) await write(value);
    const more = await Promise.allSettled([write(10), write(11), write(12)]);
    expect(more.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(2);
    await world.close();
  });
});

describe('a sandbox that forwards Parameter Store', () => {
  test('keeps no parameter itself, and its machines read there, too', async () => {
    const emulator = await openSandbox();
    const world = await openSandbox({ forwardSsm: emulator.sandbox.ssmUrl });
    await world.ssm.putParameter({ Name: '/far', Value: 'away', Type: 'String' });
    expect((await emulator.ssm.getParameter({ Name: '/far' })).Parameter?.Value).toBe('away');
    expect(world.sandbox.parameters.list()).toEqual([]);
    const { InstanceInformationList } = await world.ssm.describeInstanceInformation({});
    expect(InstanceInformationList).toEqual([]);
    await world.close();
    await emulator.close();
  });
});
