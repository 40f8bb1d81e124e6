import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from '../e2e/by-hand/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test.each([
  ['prepare', [], 'provision'],
  ['onboard', [], 'provision'],
  ['provision', ['--until', 'healthy'], 'promote'],
  ['promote', [], 'finalize'],
  ['finalize', [], undefined],
])('in a terminal %s %j says what to type next', async (stage, args, next) => {
  const end = await world.stage(stage, { args });
  expect({ text: end.text, exitCode: end.exitCode }).toEqual({ text: end.text, exitCode: 0 });
  const [, typed] = /^ {2}Next: hosted-runner (\w+) --runner linux$/m.exec(end.stdout) ?? [];
  expect(typed).toBe(next);
});
