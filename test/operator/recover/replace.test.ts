import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { purple } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { recordText, setRecord } from '../../fakes/world/record-by-hand.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

test('replace refuses an unknown address, and the host stays', async () => {
  const world = await failed(1, 'fails_jobs', 'terraform');
  const before = structuredClone(hosts(world));
  const line =
    'hosted-runner recover --method replace --address aws_instance.manager --runner linux';
  expect(await type(world, line)).toMatchObject({
    kind: 'error',
    error: { code: 'PlanRefused', exitCode: 3 },
  });
  expect(hosts(world)).toEqual(before);
});

describe('a candidate of two managers with one missing machine', () => {
  const line = 'hosted-runner recover --runner linux --method auto --yes';
  const built = 'Chose rerun: a machine of purple is missing, and the next apply builds it.';

  async function chosen(world: World) {
    const [one] = hostsOf(world, world.stacks[0] as StackSettings, purple);
    if (one === undefined) throw new Error('purple has no host');
    terminateHost(world, one, 'world');
    const ending = await type(world, line);
    return ending.log.filter((text) => text.startsWith('Chose '));
  }

  /** Chooses a method in this phase, with a candidate that was unhealthy once after an apply. */
  async function chosenIn(phase: string) {
    const world = await failed(1, 'fails_jobs', 'command', 2);
    const record = recordText(world);
    setRecord(world, record.replace('"phase":"applied"', `"phase":"${phase}"`));
    expect(recordText(world)).toContain(`"phase":"${phase}"`);
    return chosen(world);
  }

  test('gets that machine by the next apply before its promotion', async () => {
    expect(await chosenIn('applied')).toContain(built);
  });

  test('gets no apply from the first production tag on, so no rerun is chosen', async () => {
    expect(await chosenIn('promoting')).not.toContain(built);
  });
});

/** An idle manager requests jobs again by itself, so its poll times are ignored. */
function hosts(world: World) {
  return Object.values(world.hosts).map((host) => ({ ...host, polls: undefined }));
}
