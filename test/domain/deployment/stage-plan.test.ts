import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../src/domain/deployment/record.ts';
import { planStage, type StagePlanOptions } from '../../../src/domain/deployment/stage-plan.ts';
import {
  type Phase,
  type StageName,
  type StepName,
  steps,
} from '../../../src/domain/deployment/stages-and-steps.ts';
import { recordAt } from '../samples.ts';

interface Planned extends StagePlanOptions {
  readonly stage: Exclude<StageName, 'prepare'>;
  readonly at?: Partial<Deployment>;
}

/** Returns the stage's plan in a phase, without the reason. */
function planIn(phase: Phase, { stage, at, ...options }: Planned): string {
  const plan = planStage(stage, recordAt({ ...at, phase }), options);
  const walked = 'steps' in plan ? ` ${rangeOf(plan.steps)}` : '';
  return `${plan.kind}${walked}${'next' in plan ? `, ${plan.next}` : ''}`.trim();
}

/** Formats a range of steps: first step, last step, and steps that are left out. */
function rangeOf(walked: readonly StepName[]): string {
  const names = steps.map(({ name }) => name);
  const [first, last] = [walked[0] as StepName, walked.at(-1) as StepName];
  const range = names.slice(names.indexOf(first), names.indexOf(last) + 1);
  const without = range.filter((name) => !walked.includes(name));
  expect(walked).toEqual(range.filter((name) => !without.includes(name)));
  if (walked.length < 2) return walked.join(' ');
  return `${first} to ${last}${without.length === 0 ? '' : ` without ${without.join(' ')}`}`;
}

const waits = { awaitsApproval: true } as const;
const returns = { kind: 'rollback' } as const;
const bakes = { bake: { since: '2026-11-02T08:10:00.000Z', forMs: 60_000 } as never };

/** Plan for all four phases, or one for each. */
type Plans = string | readonly [string, string, string, string];
const each = (plans: Plans) => (typeof plans === 'string' ? [plans, plans, plans, plans] : plans);

describe('the plan of a stage in each phase', () => {
  /**
   * First column: before healthy, healthy, promoting and retreating. Second: promoted, drained,
   * baked and destroying.
   */
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
        'walk onboard to promote',
        'walk onboard to promote',
        'walk promote',
        'retreat onboard to promote',
      ],
      'nothing',
    ],
    [
      'provision until healthy',
      { stage: 'provision', until: 'healthy' },
      [
        'walk onboard to healthcheck',
        'walk onboard to healthcheck',
        'nothing',
        'retreat onboard to healthcheck',
      ],
      'nothing',
    ],
    [
      'provision until promoted',
      { stage: 'provision', until: 'promoted', at: waits },
      [
        'walk onboard to promote',
        'walk onboard to promote',
        'walk promote',
        'retreat onboard to promote',
      ],
      'nothing',
    ],
    [
      'provision before an approval',
      { stage: 'provision', at: waits },
      [
        'walk onboard to healthcheck',
        'walk onboard to healthcheck',
        'walk promote',
        'retreat onboard to healthcheck',
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
      ['walk drain to stop without bake', 'walk stop', 'walk stop', 'nothing'],
    ],
    [
      'cleanup',
      { stage: 'cleanup' },
      'nothing',
      [
        'out_of_order, shutdown',
        'walk deregister to finish',
        'walk deregister to finish',
        'walk deregister to finish',
      ],
    ],
    [
      'finalize',
      { stage: 'finalize' },
      'nothing',
      [
        'walk drain to finish without bake',
        'walk stop to finish',
        'walk stop to finish',
        'walk deregister to finish',
      ],
    ],
    ['bake', { stage: 'bake' }, 'nothing', 'nothing'],
    [
      'shutdown with a bake',
      { stage: 'shutdown', at: bakes },
      'nothing',
      ['walk drain to stop', 'walk bake to stop', 'walk stop', 'nothing'],
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
        'walk deregister to finish',
        'walk deregister to finish',
      ],
    ],
    [
      'finalize with a bake',
      { stage: 'finalize', at: bakes },
      'nothing',
      [
        'walk drain to finish',
        'walk bake to finish',
        'walk stop to finish',
        'walk deregister to finish',
      ],
    ],
    [
      'shutdown of a rollback',
      { stage: 'shutdown', at: returns },
      ['nothing', 'nothing', 'walk promote to stop without bake', 'nothing'],
      ['walk drain to stop without bake', 'walk stop', 'walk stop', 'nothing'],
    ],
    [
      'cleanup of a rollback',
      { stage: 'cleanup', at: returns },
      ['nothing', 'nothing', 'walk promote', 'nothing'],
      [
        'out_of_order, shutdown',
        'walk deregister to finish',
        'walk deregister to finish',
        'walk deregister to finish',
      ],
    ],
    [
      'cleanup of the candidate',
      { stage: 'cleanup', removesCandidate: true },
      ['remove_candidate', 'remove_candidate', 'out_of_order, provision', 'retreat'],
      [
        'out_of_order, shutdown',
        'walk deregister to finish',
        'walk deregister to finish',
        'walk deregister to finish',
      ],
    ],
    [
      'cleanup of the candidate of a rollback',
      { stage: 'cleanup', removesCandidate: true, at: returns },
      ['remove_candidate', 'remove_candidate', 'out_of_order, provision', 'retreat'],
      [
        'out_of_order, shutdown',
        'walk deregister to finish',
        'walk deregister to finish',
        'walk deregister to finish',
      ],
    ],
    [
      'cleanup of the candidate although no shard accepts jobs',
      { stage: 'cleanup', removesCandidate: true, forceWhenNoneAccepts: true },
      ['remove_candidate', 'remove_candidate', 'remove_candidate', 'retreat'],
      [
        'out_of_order, shutdown',
        'walk deregister to finish',
        'walk deregister to finish',
        'walk deregister to finish',
      ],
    ],
  ])('%s', (_, planned, before, after) => {
    const [early, healthy, promoting, retreating] = each(before);
    const [promoted, drained, baked, destroying] = each(after);
    const expected = {
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
    };
    const found = Object.keys(expected).map((phase) => [phase, planIn(phase as Phase, planned)]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
