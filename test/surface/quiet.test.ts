import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startHeldJob } from '../e2e/by-hand/world/held-job.ts';
import { openWorld, type World } from '../e2e/by-hand/world/world.ts';

let world: World;
let first: readonly string[];
let second: readonly string[];
let verbose: readonly string[];
beforeAll(async () => {
  world = await openWorld();
  first = await deploy();
  const job = await startHeldJob(world, { name: 'build-image' });
  // It outlasts the switch, so that its drain is waited for.
  const isClosed = () =>
    world.sandbox.gitlab
      .runners()
      .some(({ paused, description }) => paused && /^pink/.test(description));
  const releasing = setInterval(() => isClosed() && job.release(), 200);
  second = await deploy();
  clearInterval(releasing);
  verbose = await deploy('--verbose');
});
afterAll(() => world.close());

async function deploy(...args: string[]): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await world.stage('deploy', { args });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

describe('a deployment in which everything is well', () => {
  test.each([
    ['the first', () => first],
    ['the next', () => second],
  ])('%s says nothing twice', (_, of) => {
    const lines = of();
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
    // The same again, in other numbers.
    const acts = lines
      .filter((line) => !line.includes('Waiting:'))
      .map((line) => line.split(':')[0]);
    const twice = acts.filter((act, index) => acts.indexOf(act) !== index);
    expect(twice.filter((act) => !/^ {2}(?:Saw that|Skipped|Proved)/.test(act ?? ''))).toEqual([]);
    expect(lines.filter((line) => /Going on|Next:|^!|\b1 \w+s\b/.test(line))).toEqual([]);
  });

  test('--verbose has what was seen and asked, on lines of its own', () => {
    const isDetail = (line: string) => line.startsWith('  · ');
    expect([...first, ...second].filter(isDetail)).toEqual([]);
    const details = verbose.filter(isDetail).join('\n');
    for (const told of [
      'Asked ',
      'Did ',
      'Guard ',
      'Looked at ',
      'The record was written',
      'Drain of ',
    ])
      expect(details).toContain(`  · ${told}`);
    expect(details).not.toMatch(/glrt-|glpat-/);
  });

  test('accounts for its cost once, and ends with what became of it', () => {
    expect(second.filter((line) => line.includes('Accounted'))).toHaveLength(1);
    expect(second.at(-1)).toMatch(/^ {2}✔ deploy: deployment \S+ of candidate purple is done\.$/);
  });

  test('a wait tells how long it lasts once', () => {
    const waits = second.filter((line) => line.includes('Waiting: pink drains'));
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.filter((line) => (line.match(/\d+s\b/g) ?? []).length > 1)).toEqual([]);
  });
});
