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
  reason: 'nothing was seen to be taken there',
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

type Told = Omit<Partial<SituationFacts>, 'service'> & { pink: Service; purple: Service };

function told({ pink: ofPink, purple: ofPurple, ...rest }: Told): string {
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

describe('the line at three in the morning', () => {
  test('names the proof, and the candidate in quarantine', () => {
    expect(told({ pink: proven, purple: closed })).toBe(
      'pink serves jobs: job 1 "a" began 5s ago. purple is built and in quarantine; it takes no customer job.',
    );
  });

  test('says that a bake goes on, until when, and that the old shard is kept for it', () => {
    const since = '2026-11-02T08:00:00.000Z';
    const bake = { since, forMs: 1_800_000, until: '2026-11-02T14:00:00.000Z' };
    const active = { kind: 'known', active: purple, inactive: pink } as const;
    const at = (phase: Phase, more: object = {}, retiring: Service = closed) =>
      told({
        pink: retiring,
        purple: proven,
        status: active,
        deployment: { ...deploymentAt(phase), bake: { ...bake, ...more } },
      });
    const serves = 'purple serves jobs: job 1 "a" began 5s ago.';
    const goesOn =
      'Baking: purple is watched until 2026-11-02T08:30:00.000Z at least, and 2026-11-02T14:00:00.000Z at most.';
    expect(at('drained')).toBe(`${serves} pink is drained, alive and the way back. ${goesOn}`);
    expect(at('promoted', {}, ended)).toBe(
      `${serves} purple is promoted; pink is still to be drained and removed. ${goesOn}`,
    );
    const over = { ended: { verdict: 'healthy', at: since, why: 'good' } };
    expect(at('drained', over)).toBe(`${serves} pink is drained and not yet removed.`);
  });

  test("never says that a candidate takes no customer's job while one runs there", () => {
    expect(told({ pink: proven, purple: closed, customers: [job] })).toBe(
      'pink serves jobs: job 1 "a" began 5s ago. purple is built and in quarantine. Job 812 "build" of customers/shop is running on purple, which is to take no customer\'s job.',
    );
  });

  test('never says that a candidate is in quarantine while it serves', () => {
    expect(told({ pink: ended, purple: proven })).toBe(
      'pink is active and cannot serve: its machine is gone. purple serves jobs: job 1 "a" began 5s ago. purple is built and not in quarantine.',
    );
  });

  test('never says that a candidate is to take no job while it serves, whatever is taken back', () => {
    const deployment = deploymentAt('retreating');
    expect(told({ pink: unproven, purple: proven, deployment, customers: [job] })).toMatch(
      / purple is built and not in quarantine\. Job 812 "build" of customers\/shop is running on purple\.$/,
    );
  });

  test('never says that a candidate is in quarantine while it is open and has nothing that runs', () => {
    expect(told({ pink: proven, purple: { ...ended, open: true } })).toBe(
      'pink serves jobs: job 1 "a" began 5s ago. purple is not in quarantine, and cannot serve: its machine is gone.',
    );
  });

  test('never says that a shard takes no new job while it is open', () => {
    const status = { kind: 'known', active: purple, inactive: pink } as const;
    const draining = deploymentAt('draining');
    expect(told({ pink: unproven, purple: proven, status, deployment: draining })).toBe(
      'purple serves jobs: job 1 "a" began 5s ago. pink may serve jobs: nothing was seen to be taken there. pink is to take no new job, and its runner is still un-paused.',
    );
  });

  test('says of a registry that does not answer that nothing is known, and once why', () => {
    expect(told({ pink: unread, purple: unread })).toBe(
      'pink is active, and whether it serves is not known: 502 Bad Gateway. Whether purple takes jobs is not known. By the record purple is built and in quarantine.',
    );
  });

  describe('says of an old shard that is closed before its drain', () => {
    const of = (retiring: Service, phase: Phase, customers: readonly RegistryJob[] = []) =>
      told({
        pink: retiring,
        purple: proven,
        status: { kind: 'known', active: purple, inactive: pink },
        deployment: deploymentAt(phase),
        customers,
      });
    const serves = 'purple serves jobs: job 1 "a" began 5s ago.';
    const paused: Service = { kind: 'closed', reason: 'runner 5 of pink is paused' };

    test('why it takes no job, and what it still runs', () => {
      expect(of(paused, 'promoted', [job])).toBe(
        `${serves} purple is promoted; pink is still to be drained and removed. pink takes no new job: runner 5 of pink is paused. Job 812 "build" of customers/shop is running on pink.`,
      );
    });

    test('the first jobs, and how many more', () => {
      expect(of(paused, 'promoted', [job, job, job, job, job])).toMatch(
        /(?: Job 812 "build" of customers\/shop is running on pink\.){3} 2 more run on pink\.$/,
      );
    });

    test('nothing once its drain has begun, which closes it anyway', () => {
      expect(of(paused, 'draining', [job])).toBe(
        `${serves} pink is draining: it is to take no new job, and finishes those that it has.`,
      );
    });

    test('nothing of one that has no registration', () => {
      expect(of({ ...paused, absent: true } as Service, 'promoted')).toBe(
        `${serves} purple is promoted; pink is still to be drained and removed.`,
      );
    });
  });

  test.each([
    [
      'swapped',
      { kind: 'known', active: purple, inactive: pink },
      'purple is active and takes no job: runner 5 has no production tags. pink serves jobs: job 1 "a" began 5s ago.',
    ],
    [
      'illegible',
      { kind: 'invalid', reason: 'active_shard is the unknown shard "blue"' },
      'Which shard is active is not known: active_shard is the unknown shard "blue". pink serves jobs: job 1 "a" began 5s ago.',
    ],
    [
      'gone',
      { kind: 'absent' },
      'Which shard is active is not known: deployment_status is gone. pink serves jobs: job 1 "a" began 5s ago.',
    ],
    [
      'not readable',
      { kind: 'unread', reason: 'ssm:GetParameter is denied' },
      'Which shard is active is not known: ssm:GetParameter is denied. pink serves jobs: job 1 "a" began 5s ago.',
    ],
  ] as const)('tells of a status that is %s which shard serves all the same', (_, status, text) => {
    const deployment = deploymentAt('done');
    expect(told({ pink: proven, purple: closed, status, deployment })).toBe(text);
  });

  test('of a stack that was never deployed', () => {
    const none = { kind: 'closed', reason: 'pink has no runner' } as const;
    const status = { kind: 'absent' } as const;
    expect(told({ pink: none, purple: none, status, deployment: 'none' })).toBe(
      'No shard is active yet: there is no deployment_status. No deployment is recorded.',
    );
  });
});
