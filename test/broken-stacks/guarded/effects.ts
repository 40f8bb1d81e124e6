import { consentOf } from '../../../src/operator/confirm.ts';
import { recover } from '../../../src/operator/recover/recover.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { reach } from '../../stages/reach.ts';
import type { GuardedStack } from '../broken-stack.ts';
import {
  at,
  candidateOf,
  endHosts,
  endPipeline,
  hour,
  names,
  setStatus,
  withoutHosts,
  writeRecord,
} from './guarded-stack.ts';

/** Guards right before an effect. */
export const effectStacks: readonly GuardedStack[] = [
  {
    guard: 'agreement',
    code: 'FactsContradict',
    name: 'a shard that an operator has just named active is destroyed',
    command: 'cleanup',
    build: () => at('drained', (world) => setStatus(world, pink)),
  },
  {
    guard: 'record',
    code: 'ForeignWrite',
    name: 'an effect happens after another writer has changed the record',
    command: 'cleanup',
    build: () => at('destroying', () => undefined),
    meanwhile: (world) => {
      let written = false;
      return ({ port }) => {
        if (port === 'registry' && !written) writeRecord(world);
        written ||= port === 'registry';
        return undefined;
      };
    },
  },
  {
    guard: 'evidence',
    code: 'HealthcheckTimedOut',
    name: 'a candidate whose host has died since its verification becomes active',
    command: 'promote',
    build: () =>
      at('healthy', (world) => {
        endHosts(world, purple);
        world.now += hour;
      }),
  },
  {
    guard: 'status',
    code: 'ForeignWrite',
    name: 'a status that was just changed is overwritten',
    command: 'promote',
    build: () => at('healthy', () => undefined),
    before: ['registration_routed'],
    meanwhile: (world) => {
      let reads = 0;
      // The status is deleted between the last guard's read and the switch.
      return ({ port, args }) => {
        if (port === 'registry') reads = 0;
        if (port !== 'parameters' || args[0] !== names.status) return undefined;
        reads += 1;
        if (reads === 2 && candidateOf(world).tags.includes('linux')) {
          removeParameter(world, names.status);
          absorb(world);
        }
        return undefined;
      };
    },
  },
  {
    guard: 'active_shard',
    code: 'NothingServes',
    name: 'the last shard that accepts jobs is stopped',
    command: 'shutdown',
    build: () => at('promoted', (world) => endHosts(world, purple)),
  },
  {
    guard: 'drained',
    code: 'StillDraining',
    name: 'the host of a running job is stopped and destroyed',
    command: 'finalize',
    // Without host access, no other check notices the job.
    build: () => reach('draining', { stack: withoutHosts }),
    // The canary renews the proof that the active shard accepts jobs.
    before: ['registration_routed', 'canary_started', 'registration_routed'],
    options: { deadline: Date.parse('2026-11-02T08:40:00.000Z') },
  },
  {
    guard: 'never_served',
    code: 'CleanupRefused',
    name: 'a candidate with a customer job is destroyed',
    command: 'recover cleanup',
    // The recovery method checks for jobs first. This job starts right after that check.
    options: { act: (context) => runStage(context, 'cleanup', { removesCandidate: true }) },
    build: () =>
      at('applied', (world) => {
        candidateOf(world).tags.push('special');
        submitJob(world, { name: 'by hand', tags: ['special'], durationMs: 2 * hour });
      }),
  },
  {
    guard: 'rung',
    code: 'CannotRecover',
    name: 'the promoted shard is removed while it takes customer jobs',
    command: 'recover terminate',
    build: () => at('promoted', (world) => endPipeline(world)),
    options: { ci: 'terminal', deploymentId: 'terminal-1' },
  },
  {
    guard: 'consent',
    code: 'NotConfirmed',
    name: 'an instance is terminated without a confirmation',
    command: 'recover terminate',
    build: () => at('applied', (world) => endPipeline(world)),
    options: {
      ci: 'terminal',
      deploymentId: 'terminal-1',
      act: (context) =>
        recover(context, { method: 'terminate', consent: consentOf(false, undefined) }),
    },
  },
];
