import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Scene } from '../scene.ts';
import { end, hang, hour, irreversibleCalls, isOpen, minute, openPromoted } from './promoted.ts';

type Passing = Parameters<Intercept>[0];

const isRecordOf =
  (phase: string) =>
  ({ method, args }: Passing) =>
    method === 'overwrite' && JSON.stringify(args).includes(`\\"phase\\":\\"${phase}\\"`);
const isStatusRead = ({ method, args }: Passing) =>
  method === 'find' && JSON.stringify(args).includes('deployment_status');
const isProofOf =
  (registration: string) =>
  ({ method, args }: Passing) =>
    method === 'listNewestJobs' && args[0] === registration;

/** Delays a run by an hour after the first matching call that follows another one. */
function standingStill(still: {
  after?: (call: Passing) => boolean;
  at: (call: Passing) => boolean;
}) {
  let [isDue, begun] = [still.after === undefined, false];
  const state: { scene?: Scene; world?: World; trouble: typeof hang } = { trouble: hang };
  const intercept: Intercept = (call) => {
    if (!begun) return undefined;
    if (!isDue) {
      isDue = still.after?.(call) === true;
      return undefined;
    }
    if (!still.at(call)) return undefined;
    begun = false;
    const { scene, trouble } = state;
    scene?.simulation.at(10 * minute, (world) => trouble(world, purple));
    return { kind: 'delay', afterMs: hour };
  };
  return {
    state,
    intercept,
    begin: () => {
      begun = true;
    },
  };
}

const pauses = ({ simulation }: Scene) =>
  simulation.trace.filter(({ method, args }) => method === 'setIntake' && args[1] === 'closed');

describe.each([
  ['hangs', hang],
  ['ends', end],
] as const)('a new machine that %s while a run is suspended for an hour', (_, trouble) => {
  test.each([
    { when: 'during the proof', at: isProofOf('48214') },
    {
      when: 'during the last check before the pause',
      after: isRecordOf('draining'),
      at: isStatusRead,
    },
  ])('leads to no pause on the earlier proof: $when', async ({ when: _, ...still }) => {
    const standing = standingStill(still);
    const { scene, world } = await openPromoted(undefined, standing.intercept);
    Object.assign(standing.state, { scene, trouble });
    standing.begin();
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'error' });
    expect(['ServiceUnproven', 'NothingServes']).toContain(
      ending.kind === 'error' ? ending.error.code : '',
    );
    expect(pauses(scene)).toEqual([]);
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('leads to a reopening instead of a stop if the suspension is in the last check before the stop', async () => {
    const standing = standingStill({ after: isRecordOf('drained'), at: isStatusRead });
    const { scene, world } = await openPromoted(undefined, standing.intercept);
    Object.assign(standing.state, { scene, trouble });
    standing.begin();
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });
});

test('a suspended run that finds the new shard verified continues and logs the repeated check', async () => {
  const standing = standingStill({ after: isRecordOf('draining'), at: isStatusRead });
  const { scene, world } = await openPromoted(undefined, standing.intercept);
  Object.assign(standing.state, { scene, trouble: () => undefined });
  standing.begin();
  const ending = await scene.type('shutdown');
  expect(ending.log).toContain(
    'Checking again whether the other shard accepts jobs: the last check was 1h ago, because this run was suspended or its calls had to wait.',
  );
  expect(ending).toMatchObject({ kind: 'done' });
  expect(world.violations).toEqual([]);
});

test('a run whose checks take longer than a proof is valid ends without a pause', async () => {
  let begun = false;
  const { scene, world } = await openPromoted(undefined, (call) =>
    begun && isStatusRead(call) ? { kind: 'delay', afterMs: 3 * minute } : undefined,
  );
  begun = true;
  const ending = await scene.type('shutdown');
  const error = { code: 'ServiceUnproven', exitCode: 75 };
  expect(ending).toMatchObject({ phase: 'promoted', error });
  expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
    'purple was verified 3 times, but each verification was too old when pink was to be changed (age of the last: 3m; limit: 2m).',
    'This run was suspended, or a slow network or a rate limit (gitlab.calls_per_minute, gitlab.calls_per_hour) delayed its calls.',
  ]);
  expect(pauses(scene)).toEqual([]);
  expect(world.violations).toEqual([]);
});
