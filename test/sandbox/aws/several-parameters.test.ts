import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSandbox } from '../hosts/running-sandbox.ts';

describe('a Parameter Store call for several names', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  const names = ['/several/a', '/several/b'];
  beforeAll(async () => {
    world = await openSandbox();
    for (const Name of names) await world.ssm.putParameter({ Name, Value: 'one', Type: 'String' });
  });
  afterAll(() => world.close());

  test.each([
    [
      'more than ten names',
      Array.from({ length: 11 }, (_, index) => `/many/${index}`),
      'than or equal to 10',
    ],
    ['a name twice', ['/many/1', '/many/1'], 'Duplicate'],
  ])('refuses %s in one call', async (_, Names, message) => {
    await expect(world.ssm.getParameters({ Names })).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message),
    });
  });

  test('shows an older value of every name during a stale read', async () => {
    const effect = { kind: 'stale', ms: 60_000 } as const;
    world.sandbox.faults.add({ id: 'old', service: 'ssm', effect, times: 1 });
    const read = async () => (await world.ssm.getParameters({ Names: names })).InvalidParameters;
    expect(await read()).toEqual(names);
    expect(await read()).toEqual([]);
  });
});
