import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../src/domain/deployment/record.ts';
import { planStage, type StagePlanOptions } from '../../../src/domain/deployment/stage-plan.ts';
import { allPhases, type StageName } from '../../../src/domain/deployment/stages-and-steps.ts';
import { recordAt } from '../samples.ts';

interface Planned extends StagePlanOptions {
  readonly stage: Exclude<StageName, 'prepare'>;
  readonly at?: Partial<Deployment>;
}

/** What the stage does in each phase, without its reason. */
function plansOf({ stage, at, ...options }: Planned) {
  return Object.fromEntries(
    allPhases.map((phase) => {
      const plan = planStage(stage, recordAt({ ...at, phase }), options);
      const steps = 'steps' in plan ? ` ${plan.steps.join(' ')}` : '';
      return [phase, `${plan.kind}${steps}${'next' in plan ? `, ${plan.next}` : ''}`.trim()];
    }),
  );
}

const waits = { awaitsApproval: true } as const;
const returns = { kind: 'rollback' } as const;
const bakes = { bake: { since: '2026-11-02T08:10:00.000Z', forMs: 60_000 } as never };

/** One plan in all four, or one in each. */
type Plans = string | readonly [string, string, string, string];
const each = (plans: Plans) => (typeof plans === 'string' ? [plans, plans, plans, plans] : plans);

describe('what a stage does in each phase', () => {
  /** Before healthy, in healthy, promoting and retreating; then in promoted, drained, baked and destroying. */
  test.each<[string, Planned, Plans, Plans]>([
    [
      'onboard',
      { stage: 'onboard' },
      ['walk onboard', 'walk onboard', 'nothing', 'nothing'],
      'nothing',
    ],
    [
      'provision',
      { stage: 'provision' },
      [
        'walk onboard guard apply healthcheck promote',
        'walk onboard guard apply healthcheck promote',
        'walk promote',
        'retreat onboard guard apply healthcheck promote',
      ],
      'nothing',
    ],
    [
      'provision until healthy',
      { stage: 'provision', until: 'healthy' },
      [
        'walk onboard guard apply healthcheck',
        'walk onboard guard apply healthcheck',
        'nothing',
        'retreat onboard guard apply healthcheck',
      ],
      'nothing',
    ],
    [
      'provision until promoted',
      { stage: 'provision', until: 'promoted', at: waits },
      [
        'walk onboard guard apply healthcheck promote',
        'walk onboard guard apply healthcheck promote',
        'walk promote',
        'retreat onboard guard apply healthcheck promote',
      ],
      'nothing',
    ],
    [
      'provision before an approval',
      { stage: 'provision', at: waits },
      [
        'walk onboard guard apply healthcheck',
        'walk onboard guard apply healthcheck',
        'walk promote',
        'retreat onboard guard apply healthcheck',
      ],
      'nothing',
    ],
    [
      'promote',
      { stage: 'promote' },
      ['out_of_order, provision', 'walk promote', 'walk promote', 'out_of_order, provision'],
      'nothing',
    ],
    [
      'shutdown',
      { stage: 'shutdown' },
      'nothing',
      ['walk drain stop', 'walk stop', 'walk stop', 'nothing'],
    ],
    [
      'cleanup',
      { stage: 'cleanup' },
      'nothing',
      [
        'out_of_order, shutdown',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
    [
      'finalize',
      { stage: 'finalize' },
      'nothing',
      [
        'walk drain stop deregister destroy finish',
        'walk stop deregister destroy finish',
        'walk stop deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
    ['bake', { stage: 'bake' }, 'nothing', 'nothing'],
    [
      'shutdown with a bake',
      { stage: 'shutdown', at: bakes },
      'nothing',
      ['walk drain bake stop', 'walk bake stop', 'walk stop', 'nothing'],
    ],
    [
      'bake with a bake',
      { stage: 'bake', at: bakes },
      'nothing',
      ['out_of_order, finalize', 'walk bake', 'nothing', 'nothing'],
    ],
    [
      'cleanup with a bake',
      { stage: 'cleanup', at: bakes },
      'nothing',
      [
        'out_of_order, shutdown',
        'out_of_order, bake',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
    [
      'finalize with a bake',
      { stage: 'finalize', at: bakes },
      'nothing',
      [
        'walk drain bake stop deregister destroy finish',
        'walk bake stop deregister destroy finish',
        'walk stop deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
    [
      'shutdown of a rollback',
      { stage: 'shutdown', at: returns },
      ['nothing', 'nothing', 'walk promote drain stop', 'nothing'],
      ['walk drain stop', 'walk stop', 'walk stop', 'nothing'],
    ],
    [
      'cleanup of a rollback',
      { stage: 'cleanup', at: returns },
      ['nothing', 'nothing', 'walk promote', 'nothing'],
      [
        'out_of_order, shutdown',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
    [
      'cleanup of the candidate',
      { stage: 'cleanup', removesCandidate: true },
      ['remove_candidate', 'remove_candidate', 'out_of_order, provision', 'retreat'],
      [
        'out_of_order, shutdown',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
    [
      'cleanup of the candidate of a rollback',
      { stage: 'cleanup', removesCandidate: true, at: returns },
      ['remove_candidate', 'remove_candidate', 'out_of_order, provision', 'retreat'],
      [
        'out_of_order, shutdown',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
    [
      'cleanup of the candidate although no shard accepts jobs',
      { stage: 'cleanup', removesCandidate: true, forceWhenNothingServes: true },
      ['remove_candidate', 'remove_candidate', 'remove_candidate', 'retreat'],
      [
        'out_of_order, shutdown',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
        'walk deregister destroy finish',
      ],
    ],
  ])('%s', (_, planned, before, after) => {
    const [early, healthy, promoting, retreating] = each(before);
    const [promoted, drained, baked, destroying] = each(after);
    expect(plansOf(planned)).toEqual({
      prepared: early,
      onboarded: early,
      applying: early,
      applied: early,
      healthy,
      promoting,
      retreating,
      promoted,
      draining: promoted,
      drained,
      baked,
      destroying,
      done: 'finished',
    });
  });
});
