import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import type { TraceEntry } from '../../fakes/faults/trace.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { killAt, reach } from '../../stages/reach.ts';
import { openScene, type Scene } from '../scene.ts';

const { lock, status } = parametersOf(stackSettings());

function candidateOf(world: World) {
  const [registration] = registrationsOf(world, stackSettings(), purple);
  if (registration === undefined) throw new Error('the candidate has no runner');
  return registration;
}

/** Rewrites the status like an operator, after `looks` reads since the last effect on GitLab. */
function editAfter(world: World, reads: number) {
  let seen = 0;
  const operator = {
    hasWritten: false,
    intercept({ port, method, args }: Call): Fault | undefined {
      if (port === 'registry') seen = 0;
      if (seen === reads && !operator.hasWritten && candidateOf(world).tags.includes('linux')) {
        operator.hasWritten = true;
        putParameter(world, { name: status, value: `${formatStatus([pink, purple], pink)} ` });
        absorb(world);
      }
      if (port === 'parameters' && method === 'find' && args[0] === status) seen += 1;
      return undefined;
    },
  };
  return operator;
}

/** Returns GitLab's last response about the candidate before the switch. */
function findLastResponse({ simulation: { trace } }: Scene): unknown {
  const names = ({ args: [given] }: TraceEntry) => (given as { name?: string } | undefined)?.name;
  const at = trace.findIndex((one) => one.method === 'overwrite' && names(one) === status);
  const isRead = ({ port, method }: TraceEntry) => port === 'registry' && method === 'find';
  return trace.slice(0, at).findLast(isRead)?.answer;
}

describe('the switch of the status', () => {
  test('fails if another writer changes the status after the last check', async () => {
    const outcomes: string[] = [];
    for (let reads = 1; ; reads += 1) {
      const world = await reach('healthy');
      const operator = editAfter(world, reads);
      const ending = await openScene(world, operator.intercept).type('promote');
      if (!operator.hasWritten) break;
      outcomes.push(ending.kind === 'error' ? ending.error.code : ending.kind);
    }
    // The gate reads the status once and finds the same shard. The write depends on the second
    // read.
    expect(outcomes).toEqual(['done', 'ForeignWrite']);
  });

  test('waits for a check that shows the production tags, even if the first check is outdated', async () => {
    const world = await reach('healthy');
    const older = structuredClone(world);
    let reads = 0;
    const scene = openScene(
      world,
      ({ port, method }) => {
        if (port !== 'registry' || !candidateOf(world).tags.includes('linux')) return undefined;
        if (method === 'find') reads += 1;
        return method === 'find' && reads === 1 ? { kind: 'stale' } : undefined;
      },
      () => older,
    );
    expect(await scene.type('promote')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(findLastResponse(scene)).toMatchObject({
      value: { tags: ['linux'], paused: false },
    });
    expect(reads).toBeGreaterThan(2);
    const writes = scene.simulation.trace.filter(
      ({ port, effect }) => port === 'registry' && effect,
    );
    expect(writes.map(({ method }) => method)).toEqual(['route']);
  });

  test('unpauses the runner if another actor paused it right after the switch', async () => {
    const world = await reach('healthy');
    const dying = openScene(
      world,
      killAt(({ method, args: [given] }) => {
        const { name } = (given ?? {}) as { name?: string };
        return method === 'overwrite' && name === status;
      }),
    );
    expect(await dying.type('promote')).toMatchObject({ kind: 'killed', phase: 'promoting' });
    removeParameter(world, lock);
    candidateOf(world).paused = true;
    absorb(world);
    const scene = openScene(world);
    expect(await scene.type('provision')).toMatchObject({ phase: 'promoted' });
    expect(candidateOf(world).paused).toBe(false);
    await scene.type('finalize');
    expect(await scene.rest()).toEqual([]);
  });
});
