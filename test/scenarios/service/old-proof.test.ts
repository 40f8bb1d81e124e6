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
const isLookAtStatus = ({ method, args }: Passing) =>
  method === 'find' && JSON.stringify(args).includes('deployment_status');
const isProofOf =
  (registration: string) =>
  ({ method, args }: Passing) =>
    method === 'listNewestJobs' && args[0] === registration;

/** The run stands still for an hour after the first such call that comes after the other one. */
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
] as const)('the new machine %s while a run of ours stands still for an hour', (_, trouble) => {
  test.each([
    { when: 'in the proof', at: isProofOf('48214') },
    {
      when: 'in the gate right before the pause',
      after: isRecordOf('draining'),
      at: isLookAtStatus,
    },
  ])('$when: the old shard is not closed on the proof of before', async ({ when: _, ...still }) => {
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

  test('in the gate right before the stop: nothing is stopped, and the old shard is opened again', async () => {
    const standing = standingStill({ after: isRecordOf('drained'), at: isLookAtStatus });
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

test('a run that stands still and finds the new shard well goes on, and says that it asked anew', async () => {
  const standing = standingStill({ after: isRecordOf('draining'), at: isLookAtStatus });
  const { scene, world } = await openPromoted(undefined, standing.intercept);
  Object.assign(standing.state, { scene, trouble: () => undefined });
  standing.begin();
  const ending = await scene.type('shutdown');
  expect(ending.log).toContain(
    'Asking once more whether the other shard serves: that was seen 1h ago, because this run was suspended or its calls had to wait.',
  );
  expect(ending).toMatchObject({ kind: 'done' });
  expect(world.violations).toEqual([]);
});

test('a run whose every gate takes longer than a proof stands ends, and closes nothing', async () => {
  let begun = false;
  const { scene, world } = await openPromoted(undefined, (call) =>
    begun && isLookAtStatus(call) ? { kind: 'delay', afterMs: 3 * minute } : undefined,
  );
  begun = true;
  const ending = await scene.type('shutdown');
  const error = { code: 'ServiceUnproven', exitCode: 75 };
  expect(ending).toMatchObject({ phase: 'promoted', error });
  expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
    '3 times purple was seen to serve, the last time 3m before the next effect could begin; 2m is allowed.',
    'This run was suspended, or its calls had to wait: for a slow network, or for gitlab.calls_per_minute and gitlab.calls_per_hour.',
  ]);
  expect(pauses(scene)).toEqual([]);
  expect(world.violations).toEqual([]);
});
