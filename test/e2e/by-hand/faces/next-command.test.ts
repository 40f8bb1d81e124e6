import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from '../world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('in a terminal each stage says what to type next', async () => {
  const said: unknown[] = [];
  for (const args of [
    ['prepare'],
    ['onboard'],
    ['provision', '--until', 'healthy'],
    ['promote'],
    ['finalize'],
  ]) {
    const [stage = '', ...rest] = args;
    const end = await world.stage(stage, { args: rest });
    expect({ text: end.text, exitCode: end.exitCode }).toEqual({ text: end.text, exitCode: 0 });
    said.push(/^ {2}Next: hosted-runner (\w+) --runner linux$/m.exec(end.stdout)?.[1]);
  }
  expect(said).toEqual(['provision', 'provision', 'promote', 'finalize', undefined]);
});
