import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import { cutOff } from '../../fakes/hosts/host-trouble.ts';
import { addStranger } from '../../fakes/hosts/registering.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, listAcceptingShards, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { reportOf, stackOf, type } from '../../operator/doctor/examine.ts';
import { type Reaching, reach } from '../../stages/reach.ts';

const registries: readonly (readonly [string, Reaching])[] = [
  ['GitLab', {}],
  ['GitHub', { behaviour: { runners: 'github_persistent', concurrent: 1 } }],
];

/** Adds the production tag to the candidate's runner, like an operator. */
async function tagged(at: 'onboarded' | 'healthy', reaching: Reaching = {}): Promise<World> {
  const world = await reach(at, reaching);
  for (const one of registrationsOf(world, stackOf(world), purple)) one.tags.push('linux');
  absorb(world);
  return world;
}

/** Types the first command of each error, like an operator. */
async function followPrinted(world: World, first: string): Promise<readonly string[]> {
  const story: string[] = [];
  let command: string | undefined = first;
  for (let round = 0; round < 6 && command !== undefined; round += 1) {
    const ending = await type(world, command);
    const isError = ending.kind === 'error';
    story.push(
      `${command.split(' ')[1]}: ${isError ? ending.error.code : `${ending.kind}, ${ending.phase}`}`,
    );
    const fixes = isError ? ending.error.fields.fix : undefined;
    command = fixes?.map((line) => /hosted-runner .*/.exec(String(line))?.[0]).find(Boolean);
  }
  return story;
}

describe.each(registries)('a candidate of %s without a machine', (_, reaching) => {
  test('returns to quarantine if its runner got a production tag by hand', async () => {
    const world = await tagged('onboarded', reaching);
    const ending = await type(world, 'hosted-runner onboard --runner linux');
    expect(ending).toMatchObject({ kind: 'done', phase: 'onboarded' });
    const [registration] = registrationsOf(world, stackOf(world), purple);
    expect(registration?.tags).toEqual([expect.stringMatching(/^canary-/)]);
    expect(ending.log).toContainEqual(
      expect.stringMatching(
        /^Putting purple back into quarantine: (?:runner|fleet) 48214 of purple is not paused and has the production (?:tags|labels) .*, but it cannot accept jobs: no machine of purple exists/,
      ),
    );
    expect(world.violations).toEqual([]);
  });

  test.each(['provision', 'deploy', 'activate'])('recovers by %s as printed', async (name) => {
    const world = await tagged('onboarded', reaching);
    const more = name === 'activate' ? ' --shard purple' : '';
    const story = await followPrinted(world, `hosted-runner ${name} --runner linux${more}`);
    expect(story.at(-1)).toMatch(/: (?:done|nothing), (?:promoted|done)$/);
    expect(listAcceptingShards(world, stackOf(world))).toContain(purple);
    expect(world.violations).toEqual([]);
  });

  test('appears in the report as outside of quarantine', async () => {
    const { now } = await reportOf(await tagged('onboarded', reaching));
    expect(now).toContain(
      'purple is not in quarantine but cannot accept jobs: no machine of purple',
    );
    expect(now).not.toContain('registered, in quarantine');
  });
});

describe('a candidate that runs', () => {
  test('stays untouched, and the error names the tag to remove', async () => {
    const world = await tagged('healthy');
    const provision = 'hosted-runner provision --runner linux';
    const ending = await type(world, provision);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'InactiveShardHealthy' } });
    const fix = ending.kind === 'error' ? (ending.error.fields.fix ?? []) : [];
    expect(fix.map(String)).toContainEqual(
      `If it should not, remove the tag linux from runner 48214 in GitLab, then: ${provision}`,
    );
    for (const one of registrationsOf(world, stackOf(world), purple))
      one.tags = one.tags.filter((tag) => tag !== 'linux');
    absorb(world);
    expect(await type(world, provision)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(listAcceptingShards(world, stackOf(world))).toContain(pink);
  });

  test('stays out of quarantine if the state of its machine is unknown', async () => {
    const world = await tagged('healthy');
    for (const host of hostsOf(world, stackOf(world), purple)) cutOff(world, host, 'hangs');
    absorb(world);
    await createSimulation({ world }).advance(3_600_000);
    const ending = await type(world, 'hosted-runner provision --runner linux');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'InactiveShardHealthy' } });
    const [registration] = registrationsOf(world, stackOf(world), purple);
    expect(registration?.tags).toContain('linux');
    expect(world.violations).toEqual([]);
  });

  test('stays out of quarantine if its runner contacted GitLab a moment ago', async () => {
    const world = await tagged('onboarded');
    const [registration] = registrationsOf(world, stackOf(world), purple);
    if (registration === undefined) throw new Error('purple has no runner');
    addStranger(world, registration);
    absorb(world);
    await createSimulation({ world }).advance(1000);
    const ending = await type(world, 'hosted-runner provision --runner linux');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'InactiveShardHealthy' } });
    expect(registration?.tags).toContain('linux');
  });
});
