import { expect, test } from '@jest/globals';
import { addShard, pink, purple } from '../../fakes/builders.ts';
import type { Fault } from '../../fakes/faults/fault-wrapper.ts';
import { bootHost, createHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { end, irreversibleCalls, isOpen, minute, openPromoted, stackOf } from './promoted.ts';

/** Replaces purple's machine by one that works for a runner outside the record. */
function replaceUnderAnother(world: World, described?: string) {
  end(world, purple);
  const { registration, hosts } = addShard(world, { shard: purple, tags: ['other'], note: '' });
  if (described !== undefined) registration.description = described;
  absorb(world);
  return { registration, host: hosts[0]?.id };
}

test.each([
  ['the same description', undefined],
  ['another description', 'somebody’s runner'],
])('requests of a host under a second runner with %s prove nothing', async (_, described) => {
  const { scene, world } = await openPromoted();
  const { host } = replaceUnderAnother(world, described);
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({
    kind: 'error',
    phase: 'promoted',
    error: { code: 'ServiceUnproven' },
  });
  expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toContain(
    `on ${host}, the process is running, but it is not a manager of runner 48214`,
  );
  expect(irreversibleCalls(scene)).toEqual([]);
  expect(isOpen(world, pink)).toBe(true);
  expect(world.violations).toEqual([]);
});

test.each([
  ['minutes ago', 2 * minute],
  ['a moment ago', 0],
])(
  'a canary on a manager that is gone proves nothing about a manager that never took a job: %s',
  async (_, agoMs) => {
    const { scene, world } = await openPromoted();
    end(world, purple);
    const { runnerName } = stackOf(world);
    const host = createHost(world, { runnerName, shard: purple });
    Object.assign(host, { boot: 'never_takes_jobs', listens: false });
    // The host is in the list from now on.
    bootHost(world, host);
    absorb(world);
    await scene.simulation.advance(agoMs);
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({
      kind: 'error',
      phase: 'promoted',
      error: { code: 'ServiceUnproven' },
    });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toMatch(
      /its process runs; .* canary job \d+ ran on purple, on no running manager, \d+[ms]/,
    );
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  },
);

const managersOf = (world: World) =>
  registrationsOf(world, stackOf(world), purple).flatMap(({ managers }) => managers);

test.each([
  [
    'reports no system id',
    (world: World) => {
      for (const host of hostsOf(world, stackOf(world), purple))
        Object.assign(host, { systemId: undefined });
    },
  ],
  [
    'sends no system id',
    (world: World) => {
      for (const manager of managersOf(world)) manager.systemId = '<legacy>';
    },
  ],
  [
    'has an empty list of managers',
    (world: World) => {
      for (const one of registrationsOf(world, stackOf(world), purple)) one.managers = [];
    },
  ],
  ['has an unreadable list of managers', undefined],
])('a host that %s proves as much as before', async (_, change) => {
  let fault: Fault | undefined;
  const { scene, world } = await openPromoted(
    (one) => one,
    ({ port, method }) => (port === 'registry' && method === 'listWorkers' ? fault : undefined),
  );
  if (change === undefined) fault = { kind: 'error_before', failure: 'unavailable' };
  change?.(world);
  absorb(world);
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(ending.log.join('\n')).not.toContain('Starting a canary on purple');
  expect(world.violations).toEqual([]);
});
