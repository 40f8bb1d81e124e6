import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import { endPipelines } from '../broken-stacks/state.ts';
import { pink, purple, stackSettings } from '../fakes/builders.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { addStranger } from '../fakes/hosts/registering.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { hostsOf, parametersOf, registrationsOf, servingShards } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import { askedByCanaryAlone } from '../scenarios/service/promoted.ts';
import { reach } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';

const activate = 'hosted-runner activate --runner linux --shard purple';

/** Its apply was cut off before it had a machine; who has no access to hosts asks none. */
async function halfBuilt(): Promise<World> {
  const world = await reach('applying', { stack: askedByCanaryAlone(stackSettings()) });
  endPipelines(world);
  return world;
}

function editStatus(world: World): void {
  const { status } = parametersOf(stackOf(world));
  putParameter(world, { name: status, value: formatStatus(stackOf(world).shards, purple) });
  absorb(world);
}

describe('a candidate without a machine, where the hosts are not asked', () => {
  test.each([
    ['', () => undefined],
    [' though the status names it', editStatus],
  ])('is not activated%s, and nothing is waited for', async (_, edit) => {
    const world = await halfBuilt();
    edit(world);
    const began = world.now;
    const ending = await type(world, activate);
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'applying',
      error: {
        code: 'CannotActivate',
        fields: {
          why: ['EC2 lists no machine of purple, and no manager of it has contacted GitLab.'],
        },
      },
    });
    expect(world.now - began).toBeLessThan(60_000);
  });

  test('is activated where GitLab has heard of a runner of it', async () => {
    const world = await halfBuilt();
    const [registration] = registrationsOf(world, stackOf(world), purple);
    if (registration === undefined) throw new Error('purple has no registration');
    addStranger(world, registration);
    absorb(world);
    const ending = await type(world, activate);
    expect(ending.phase).not.toBe('applying');
  });

  test.each([
    ['', () => undefined],
    [' though the status names it', editStatus],
  ])('leads on by what is printed%s', async (_, edit) => {
    const world = await halfBuilt();
    edit(world);
    let command: string | undefined = activate;
    let last: Awaited<ReturnType<typeof type>> | undefined;
    for (let round = 0; round < 4 && command !== undefined; round += 1) {
      last = await type(world, command);
      const fix = last.kind === 'error' ? (last.error.fields.fix ?? []) : [];
      command = fix.map((line) => /hosted-runner .*/.exec(String(line))?.[0]).find(Boolean);
    }
    expect(last).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(servingShards(world, stackOf(world))).toContain(pink);
    expect(world.violations).toEqual([]);
  });
});

describe('a shard whose machine EC2 calls terminated, where the hosts are not asked', () => {
  async function diedAtDrain(): Promise<World> {
    const world = await reach('draining', { stack: askedByCanaryAlone(stackSettings()) });
    endPipelines(world);
    world.violations.length = 0;
    for (const host of hostsOf(world, stackOf(world), purple)) terminateHost(world, host, 'world');
    absorb(world);
    return world;
  }

  test('is not activated at once, though GitLab has heard of it, and what is printed goes back', async () => {
    const world = await diedAtDrain();
    const began = world.now;
    const ending = await type(world, activate);
    expect(ending).toMatchObject({
      phase: 'draining',
      error: {
        code: 'CannotActivate',
        fields: {
          why: [
            'EC2 lists no machine of purple that has not ended: i-0abc0000000000002 is terminated.',
          ],
          fix: [
            'Go back to pink: hosted-runner rollback --runner linux',
            'Look at both shards: hosted-runner status --runner linux',
          ],
        },
      },
    });
    expect(world.now - began).toBeLessThan(60_000);
    expect(await type(world, 'hosted-runner rollback --runner linux')).toMatchObject({
      kind: 'done',
    });
    expect(servingShards(world, stackOf(world))).toContain(pink);
    expect(world.violations).toEqual([]);
  });

  test('is not gone back to, and nothing is waited for', async () => {
    const world = await reach('draining', { stack: askedByCanaryAlone(stackSettings()) });
    endPipelines(world);
    for (const host of hostsOf(world, stackOf(world), pink)) terminateHost(world, host, 'world');
    absorb(world);
    const began = world.now;
    const ending = await type(world, 'hosted-runner rollback --runner linux');
    expect(ending).toMatchObject({
      phase: 'draining',
      error: {
        code: 'NothingToRollBack',
        fields: {
          why: [expect.stringMatching(/^EC2 lists no machine of pink that has not ended: /)],
        },
      },
    });
    expect(world.now - began).toBeLessThan(60_000);
    expect(servingShards(world, stackOf(world))).toContain(purple);
  });

  test.each([
    ['rollback --runner linux', 'NothingToRollBack'],
    ['activate --runner linux --shard pink', 'CannotActivate'],
  ])('is not gone back to either, once EC2 has forgotten it: %s', async (command, code) => {
    const world = await reach('draining', { stack: askedByCanaryAlone(stackSettings()) });
    endPipelines(world);
    for (const host of hostsOf(world, stackOf(world), pink)) {
      terminateHost(world, host, 'world');
      delete world.hosts[host.id];
    }
    absorb(world);
    await createSimulation({ world }).advance(3 * 3_600_000);
    const began = world.now;
    const ending = await type(world, `hosted-runner ${command}`);
    expect(ending).toMatchObject({
      phase: 'draining',
      error: {
        code,
        fields: { why: [expect.stringMatching(/^EC2 lists no machine of pink, and no manager/)] },
      },
    });
    expect(ending.kind === 'error' ? ending.error.fields.fix?.join() : '').not.toContain(
      'rollback',
    );
    expect(world.now - began).toBeLessThan(60_000);
  });

  test('leads to the way out where the other one has ended, too', async () => {
    const world = await diedAtDrain();
    for (const host of hostsOf(world, stackOf(world), pink)) terminateHost(world, host, 'world');
    absorb(world);
    for (const shard of ['purple', 'pink']) {
      const ending = await type(world, `hosted-runner activate --runner linux --shard ${shard}`);
      expect(ending).toMatchObject({
        error: {
          code: 'CannotActivate',
          fields: {
            fix: expect.arrayContaining([expect.stringContaining('hosted-runner finalize')]),
          },
        },
      });
    }
    await createSimulation({ world }).advance(600_000);
    const printed: string[] = [];
    for (const _ of [1, 2]) {
      const ending = await type(world, 'hosted-runner finalize --runner linux');
      printed.push(...(ending.kind === 'error' ? (ending.error.fields.fix ?? []) : []));
    }
    expect(printed.join()).toContain('--although-nothing-serves');
  });
});
