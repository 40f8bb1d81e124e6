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
  // The job outlasts the switch, so the drain waits for it.
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

describe('a deployment without problems', () => {
  test.each([
    ['the first deployment', () => first],
    ['the next deployment', () => second],
  ])('repeats no line in %s', (_, of) => {
    const lines = of();
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
    // No act may repeat with other numbers.
    const acts = lines
      .filter((line) => !line.includes('Waiting'))
      .map((line) => line.split(':')[0]);
    const twice = acts.filter((act, index) => acts.indexOf(act) !== index);
    expect(twice.filter((act) => !/^ {2}(?:Verified|Skipped|Found)/.test(act ?? ''))).toEqual([]);
    expect(lines.filter((line) => /Continuing|Resuming|Next:|^!|\b1 \w+s\b/.test(line))).toEqual(
      [],
    );
  });

  test('prints observations and requests on separate lines with --verbose', () => {
    const isDetail = (line: string) => line.startsWith('  · ');
    expect([...first, ...second].filter(isDetail)).toEqual([]);
    const details = verbose.filter(isDetail).join('\n');
    for (const detail of [
      'Called ',
      'Guard ',
      'Checked ',
      'Deployment record written',
      'Drain of ',
    ])
      expect(details).toContain(`  · ${detail}`);
    expect(details).not.toMatch(/glrt-|glpat-/);
  });

  test('prints its cost once, and ends with its result', () => {
    expect(second.filter((line) => line.includes('Summary: '))).toHaveLength(1);
    expect(second.at(-1)).toMatch(
      /^ {2}✔ deploy: deployment \S+ \(candidate purple\) is finished\.$/,
    );
  });

  test('prints the duration of a wait once', () => {
    const waits = second.filter((line) => line.includes('Waiting for pink to drain'));
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.filter((line) => (line.match(/\d+s\b/g) ?? []).length > 1)).toEqual([]);
  });
});
