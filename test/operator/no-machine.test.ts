import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import { endPipelines } from '../broken-stacks/state.ts';
import { pink, purple, stackSettings } from '../fakes/builders.ts';
import { terminateHost } from '../fakes/hosts/hosts.ts';
import { addStranger } from '../fakes/hosts/registering.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import {
  hostsOf,
  listAcceptingShards,
  parametersOf,
  registrationsOf,
} from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { removeHostAccess } from '../scenarios/service/promoted.ts';
import { reach } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';

const activate = 'hosted-runner activate --runner linux --shard purple';

/** Reaches an interrupted apply without a machine, and without access to hosts. */
async function halfBuilt(): Promise<World> {
  const world = await reach('applying', { stack: removeHostAccess(stackSettings()) });
  endPipelines(world);
  return world;
}

function editStatus(world: World): void {
  const { status } = parametersOf(stackOf(world));
  putParameter(world, { name: status, value: formatStatus(stackOf(world).shards, purple) });
  absorb(world);
}

describe('a candidate without a machine, with hosts that may not be queried', () => {
  test.each([
    ['', () => undefined],
    [' although the status names it', editStatus],
  ])('gets no activation%s, and the run does not wait', async (_, edit) => {
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
          why: ['EC2 lists no machine of purple, and no manager of purple has contacted GitLab.'],
        },
      },
    });
    expect(world.now - began).toBeLessThan(60_000);
  });

  test('gets an activation if its runner had contact with GitLab', async () => {
    const world = await halfBuilt();
    const [registration] = registrationsOf(world, stackOf(world), purple);
    if (registration === undefined) throw new Error('purple has no runner');
    addStranger(world, registration);
    absorb(world);
    const ending = await type(world, activate);
    expect(ending.phase).not.toBe('applying');
  });

  test.each([
    ['', () => undefined],
    [' although the status names it', editStatus],
  ])('recovers by the printed commands%s', async (_, edit) => {
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
    expect(listAcceptingShards(world, stackOf(world))).toContain(pink);
    expect(world.violations).toEqual([]);
  });
});

describe('a shard whose machine EC2 reports as terminated, with hosts that may not be queried', () => {
  async function diedAtDrain(): Promise<World> {
    const world = await reach('draining', { stack: removeHostAccess(stackSettings()) });
    endPipelines(world);
    world.violations.length = 0;
    for (const host of hostsOf(world, stackOf(world), purple)) terminateHost(world, host, 'world');
    absorb(world);
    return world;
  }

  test('gets no activation despite contact with GitLab, and the printed command rolls back', async () => {
    const world = await diedAtDrain();
    const began = world.now;
    const ending = await type(world, activate);
    expect(ending).toMatchObject({
      phase: 'draining',
      error: {
        code: 'CannotActivate',
        fields: {
          why: ['EC2 lists only terminated machines of purple: i-0abc0000000000002 is terminated.'],
          fix: [
            'Roll back to pink: hosted-runner rollback --runner linux',
            'Check both shards: hosted-runner status --runner linux',
          ],
        },
      },
    });
    expect(world.now - began).toBeLessThan(60_000);
    expect(await type(world, 'hosted-runner rollback --runner linux')).toMatchObject({
      kind: 'done',
    });
    expect(listAcceptingShards(world, stackOf(world))).toContain(pink);
    expect(world.violations).toEqual([]);
  });

  test('gets no rollback, and the run does not wait', async () => {
    const world = await reach('draining', { stack: removeHostAccess(stackSettings()) });
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
          why: [expect.stringMatching(/^EC2 lists only terminated machines of pink: /)],
        },
      },
    });
    expect(world.now - began).toBeLessThan(60_000);
    expect(listAcceptingShards(world, stackOf(world))).toContain(purple);
  });

  test.each([
    ['rollback --runner linux', 'NothingToRollBack'],
    ['activate --runner linux --shard pink', 'CannotActivate'],
  ])('gets no rollback once EC2 has forgotten it: %s', async (command, code) => {
    const world = await reach('draining', { stack: removeHostAccess(stackSettings()) });
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

  test('leads to the removal command if the other shard has ended as well', async () => {
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
