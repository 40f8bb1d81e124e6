import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test.each(['{{noon}}', '{{{noon}}}', '"noon" \\{{'])(
  'a hold keeps the reason %s',
  async (reason) => {
    const held = await world.stage('hold', { args: ['--reason', reason] });
    expect(held).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await world.stage('status')).text).toContain(reason);
    expect(await world.stage('release')).toMatchObject({ exitCode: 0 });
  },
);
