import { describe, expect, test } from '@jest/globals';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { arrive } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { hour, minute, openPromoted } from '../service/promoted.ts';
import { openBaking, openDrained } from './baked.ts';

type PortCall = Parameters<Intercept>[0];

/** Makes the matching calls fail while the test sets `silence.on`. */
function silenced(isMeant: (call: PortCall) => boolean) {
  const outage = { on: false };
  const intercept: Intercept = (call) =>
    outage.on && isMeant(call) ? { kind: 'error_before', failure: 'unreachable' } : undefined;
  return { outage, intercept };
}

const ofStore = ({ port }: PortCall) => port === 'parameters';
const ofLock = ({ port, args }: PortCall) =>
  port === 'parameters' && JSON.stringify(args[0] ?? '').includes('deployment_lock');
const passing = { kind: 'error', error: { code: 'Unreachable', exitCode: 75 } };
const failing = { kind: 'error', error: { code: 'Unreachable', exitCode: 1 } };

describe('a Parameter Store that does not respond', () => {
  test('keeps a bake running, which ends with exit code 75', async () => {
    const { outage, intercept } = silenced(ofStore);
    const { scene, world } = await openDrained({ bake: { atMostMs: hour }, intercept });
    scene.simulation.at(5 * minute, () => {
      outage.on = true;
    });
    expect(await scene.type('bake')).toMatchObject(passing);
    outage.on = false;
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  });

  test.each(['shutdown', 'bake', 'cleanup', 'finalize'] as const)(
    'makes %s start nothing and end with exit code 75',
    async (stage) => {
      const { outage, intercept } = silenced(ofStore);
      const { scene } = await openBaking({ intercept });
      outage.on = true;
      expect(await scene.type(stage)).toMatchObject(passing);
    },
  );

  test('ends a run that cannot take or release its lock with exit code 75', async () => {
    const { outage, intercept } = silenced(ofLock);
    const { scene, world } = await openBaking({ intercept });
    outage.on = true;
    expect(await scene.type('shutdown')).toMatchObject(passing);
    outage.on = false;
    scene.simulation.at(10_000, () => {
      outage.on = true;
    });
    expect(await scene.type('shutdown')).toMatchObject(passing);
    outage.on = false;
    await scene.simulation.advance(minute);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  });

  test('fails a run that works towards the promotion', async () => {
    const { outage, intercept } = silenced(ofStore);
    const { scene } = await openBaking({ intercept });
    outage.on = true;
    expect(await scene.type('provision')).toMatchObject(failing);
  });
});

test.each(['cleanup', 'deploy'] as const)(
  'a proof of the drain without a response ends %s with exit code 75',
  async (command) => {
    const { outage, intercept } = silenced(({ port }) => port === 'registry');
    const { scene } = await openPromoted(undefined, (call) => {
      outage.on ||= call.port === 'host' && call.method === 'quit';
      return intercept(call);
    });
    if (command === 'cleanup') await scene.type('shutdown');
    const ending = await scene.type(command);
    expect(ending).toMatchObject(passing);
    expect(ending.phase).not.toBe('destroying');
    outage.on = false;
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  },
);

test('a tool that does not finish a removal is a failure, not a missing response', async () => {
  const { outage, intercept } = silenced(
    ({ port, method }) => port === 'infrastructure' && method === 'destroy',
  );
  const { scene } = await openPromoted(undefined, intercept);
  await scene.type('shutdown');
  outage.on = true;
  expect(await scene.type('cleanup')).toMatchObject(failing);
  outage.on = false;
  expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
});

test('a retreat without a response ends with exit code 75, and the next run resumes it', async () => {
  const world = await arrive('retreating');
  let isUnresponsive = true;
  const scene = openScene(world, ({ method, args }) =>
    isUnresponsive && method === 'listJobs' && args[0] === '48214'
      ? { kind: 'error_before', failure: 'unreachable' }
      : undefined,
  );
  expect(await scene.type('provision')).toMatchObject({ ...passing, phase: 'retreating' });
  isUnresponsive = false;
  expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
});
