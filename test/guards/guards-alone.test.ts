import { describe, expect, test } from '@jest/globals';
import { type GuardName, guards } from '../../src/domain/deployment/guards/guard-catalogue.ts';
import { brokenStacks } from '../broken-stacks/broken-stacks.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { listRunEffects } from '../fakes/world/happened.ts';
import type { HistoryEntry } from '../fakes/world/history.ts';
import { drive } from '../stages/drive.ts';

const guardRows = brokenStacks.guarded;

/** Guards whose case needs their adapter or a race, with the tests that contain it. */
const elsewhere: Readonly<Partial<Record<GuardName, string>>> = {
  shared_registration: 'test/scenarios/prepare/guards.test.ts',
  plan: 'test/terraform/plans/held-to-its-plan.test.ts',
  way_back: 'test/scenarios/pipelines/takeovers.test.ts',
};

/**
 * Decides whether an effect touches a shard. The lock and the record only contain observations.
 */
function touchesShards(entry: HistoryEntry): boolean {
  return !('name' in entry && /deployment_(?:lock|record)$/.test(String(entry.name)));
}

describe('the only guard between a command and harm', () => {
  test.each(guardRows)('$guard prevents: $name', async (row) => {
    const { guard, code, command, options = {}, meanwhile } = row;
    const world = await row.build();
    const intercept = meanwhile?.(world);
    const simulation = createSimulation({
      world,
      ...(intercept === undefined ? {} : { intercept }),
    });
    const past = world.history.length;
    const violationsBefore = world.violations.length;
    const ending = await drive(simulation, command, {
      deploymentId: '1-200',
      jobId: 'the job',
      ...options,
    });
    await simulation.advance(3_600_000);
    const guardEvents = ending.events.flatMap((event) =>
      event.kind === 'guard' && event.outcome !== 'passed' ? [event] : [],
    );
    expect({
      error: ending.kind === 'error' ? ending.error.code : `${ending.kind}, ${ending.phase}`,
      told: guardEvents.map(({ guard: name, outcome }) => `${name} ${outcome}`),
      harm: world.violations.slice(violationsBefore),
      touched: listRunEffects(world, past)
        .filter(touchesShards)
        .map(({ kind }) => kind),
    }).toEqual({ error: code, told: [`${guard} refused`], harm: [], touched: row.before ?? [] });
  });

  test('covers every guard', () => {
    const covered = new Set([...guardRows.map(({ guard }) => guard), ...Object.keys(elsewhere)]);
    expect(Object.keys(guards).filter((guard) => !covered.has(guard as GuardName))).toEqual([]);
  });
});
