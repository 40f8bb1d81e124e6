import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import type { Deployment } from '../../../src/domain/deployment/record.ts';
import {
  formatSituation,
  type SituationFacts,
} from '../../../src/domain/deployment/situation-text.ts';
import type { Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import type { Service } from '../../../src/domain/health/service-verdict.ts';
import type { RegistryJob } from '../../../src/domain/registration.ts';
import type { DeploymentId } from '../../../src/domain/shard.ts';
import { pink, purple } from '../../fakes/builders.ts';

const proven: Service = { kind: 'proven', reason: 'job 1 "a" began 5s ago', ageMs: 5000 };
const closed: Service = { kind: 'closed', reason: 'runner 5 has no production tags' };
const ended: Service = { kind: 'disproven', reason: 'its machine is gone' };
const unproven: Service = {
  kind: 'unknown',
  reason: 'no started job or canary was observed',
  missing: 'a job',
  open: true,
  against: false,
};
const unread: Service = { ...unproven, reason: '502 Bad Gateway', open: false };
const job: RegistryJob = {
  id: '812',
  name: 'build',
  status: 'running',
  project: 'customers/shop',
  url: 'https://gitlab.example.com/1',
};

function deploymentAt(phase: Phase): Deployment {
  const at = '2026-11-02T08:00:00.000Z';
  return {
    id: '1-200' as DeploymentId,
    kind: 'deploy',
    pipelineCreatedAt: at,
    by: 'deployer',
    candidate: purple,
    retiring: pink,
    phase,
    phaseAt: at,
    startedAt: at,
  };
}

type Facts = Omit<Partial<SituationFacts>, 'service'> & { pink: Service; purple: Service };

function formatFacts({ pink: ofPink, purple: ofPurple, ...rest }: Facts): string {
  return formatSituation({
    shards: [pink, purple],
    status: { kind: 'known', active: pink, inactive: purple },
    deployment: deploymentAt('applied'),
    customers: [],
    words: gitlabTerms,
    service: (shard) => (shard === pink ? ofPink : ofPurple),
    ...rest,
  });
}

describe('the summary line of a situation', () => {
  test('names the proof, and the candidate in quarantine', () => {
    expect(formatFacts({ pink: proven, purple: closed })).toBe(
      'pink accepts jobs: job 1 "a" began 5s ago. purple is built and in quarantine; it takes no customer jobs.',
    );
  });

  test('names a running bake with its end, and the old shard that is kept for it', () => {
    const since = '2026-11-02T08:00:00.000Z';
    const bake = { since, forMs: 1_800_000, until: '2026-11-02T14:00:00.000Z' };
    const active = { kind: 'known', active: purple, inactive: pink } as const;
    const at = (phase: Phase, more: object = {}, retiring: Service = closed) =>
      formatFacts({
        pink: retiring,
        purple: proven,
        status: active,
        deployment: { ...deploymentAt(phase), bake: { ...bake, ...more } },
      });
    const proofText = 'purple accepts jobs: job 1 "a" began 5s ago.';
    const bakeText =
      'Baking: purple is checked until 2026-11-02T08:30:00.000Z at least and 2026-11-02T14:00:00.000Z at most.';
    expect(at('drained')).toBe(
      `${proofText} pink is drained, alive and the rollback target. ${bakeText}`,
    );
    expect(at('promoted', {}, ended)).toBe(
      `${proofText} purple is promoted; pink is still to be drained and removed. ${bakeText}`,
    );
    const over = { ended: { verdict: 'healthy', at: since, why: 'good' } };
    expect(at('drained', over)).toBe(`${proofText} pink is drained and not yet removed.`);
  });

  test('never reports that a candidate takes no customer job while one runs there', () => {
    expect(formatFacts({ pink: proven, purple: closed, customers: [job] })).toBe(
      'pink accepts jobs: job 1 "a" began 5s ago. purple is built and in quarantine. Job 812 "build" of customers/shop is running on purple, which must not take customer jobs.',
    );
  });

  test('never reports quarantine for a candidate that accepts jobs', () => {
    expect(formatFacts({ pink: ended, purple: proven })).toBe(
      'pink is active but cannot accept jobs: its machine is gone. purple accepts jobs: job 1 "a" began 5s ago. purple is built but not in quarantine.',
    );
  });

  test('never reports that a candidate must take no job while it accepts jobs, even in a retreat', () => {
    const deployment = deploymentAt('retreating');
    expect(formatFacts({ pink: unproven, purple: proven, deployment, customers: [job] })).toMatch(
      / purple is built but not in quarantine\. Job 812 "build" of customers\/shop is running on purple\.$/,
    );
  });

  test('never reports quarantine for an unpaused candidate without a process', () => {
    expect(formatFacts({ pink: proven, purple: { ...ended, open: true } })).toBe(
      'pink accepts jobs: job 1 "a" began 5s ago. purple is not in quarantine but cannot accept jobs: its machine is gone.',
    );
  });

  test('never reports that a shard takes no new job while its runner is unpaused', () => {
    const status = { kind: 'known', active: purple, inactive: pink } as const;
    const draining = deploymentAt('draining');
    expect(formatFacts({ pink: unproven, purple: proven, status, deployment: draining })).toBe(
      'purple accepts jobs: job 1 "a" began 5s ago. pink may accept jobs: no started job or canary was observed. pink must take no new jobs, but its runner is still unpaused.',
    );
  });

  test('reports an unknown state without a response from GitLab, and gives the reason once', () => {
    expect(formatFacts({ pink: unread, purple: unread })).toBe(
      'pink is active; it is unknown whether it accepts jobs: 502 Bad Gateway. It is unknown whether purple accepts jobs. According to the record, purple is built and in quarantine.',
    );
  });

  describe('the summary of an old shard that is paused before its drain', () => {
    const of = (retiring: Service, phase: Phase, customers: readonly RegistryJob[] = []) =>
      formatFacts({
        pink: retiring,
        purple: proven,
        status: { kind: 'known', active: purple, inactive: pink },
        deployment: deploymentAt(phase),
        customers,
      });
    const proofText = 'purple accepts jobs: job 1 "a" began 5s ago.';
    const paused: Service = { kind: 'closed', reason: 'runner 5 of pink is paused' };

    test('names the reason of the pause and the jobs that still run', () => {
      expect(of(paused, 'promoted', [job])).toBe(
        `${proofText} purple is promoted; pink is still to be drained and removed. pink takes no new jobs: runner 5 of pink is paused. Job 812 "build" of customers/shop is running on pink.`,
      );
    });

    test('names the first jobs and counts the others', () => {
      expect(of(paused, 'promoted', [job, job, job, job, job])).toMatch(
        /(?: Job 812 "build" of customers\/shop is running on pink\.){3} 2 more run on pink\.$/,
      );
    });

    test('adds nothing once the drain has begun, because the drain pauses the shard as well', () => {
      expect(of(paused, 'draining', [job])).toBe(
        `${proofText} pink is draining: it must take no new jobs and finishes its running jobs.`,
      );
    });

    test('adds nothing if the shard has no runner', () => {
      expect(of({ ...paused, absent: true } as Service, 'promoted')).toBe(
        `${proofText} purple is promoted; pink is still to be drained and removed.`,
      );
    });
  });

  test.each([
    [
      'swapped',
      { kind: 'known', active: purple, inactive: pink },
      'purple is active but takes no jobs: runner 5 has no production tags. pink accepts jobs: job 1 "a" began 5s ago.',
    ],
    [
      'illegible',
      { kind: 'invalid', reason: 'active_shard is the unknown shard "blue"' },
      'It is unknown which shard is active: active_shard is the unknown shard "blue". pink accepts jobs: job 1 "a" began 5s ago.',
    ],
    [
      'gone',
      { kind: 'absent' },
      'It is unknown which shard is active: deployment_status no longer exists. pink accepts jobs: job 1 "a" began 5s ago.',
    ],
    [
      'unreadable',
      { kind: 'unread', reason: 'ssm:GetParameter is denied' },
      'It is unknown which shard is active: ssm:GetParameter is denied. pink accepts jobs: job 1 "a" began 5s ago.',
    ],
  ] as const)(
    'names the shard that accepts jobs despite a status that is %s',
    (_, status, text) => {
      const deployment = deploymentAt('done');
      expect(formatFacts({ pink: proven, purple: closed, status, deployment })).toBe(text);
    },
  );

  test('reports a stack that was never deployed', () => {
    const none = { kind: 'closed', reason: 'pink has no runner' } as const;
    const status = { kind: 'absent' } as const;
    expect(formatFacts({ pink: none, purple: none, status, deployment: 'none' })).toBe(
      'No shard is active yet: there is no deployment_status. No deployment is recorded.',
    );
  });
});
