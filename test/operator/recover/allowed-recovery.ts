import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import type { DeploymentRecord } from '../../../src/domain/deployment/record.ts';
import type { RecoveryFacts } from '../../../src/domain/deployment/recovery-methods.ts';
import type { DeploymentId, RegistrationId } from '../../../src/domain/shard.ts';
import { pink, purple } from '../../fakes/builders.ts';

export const record: DeploymentRecord = {
  deployment: {
    id: '1-200' as DeploymentId,
    kind: 'deploy',
    pipelineCreatedAt: '2026-11-02T08:00:00.000Z',
    by: 'kim',
    candidate: purple,
    retiring: pink,
    phase: 'applied',
    phaseAt: '2026-11-02T08:10:00.000Z',
    startedAt: '2026-11-02T08:00:00.000Z',
  },
  shards: {
    [purple]: {
      registration: '48214' as RegistrationId,
      tokenWritten: true,
      unhealthyInARow: 2,
      productionTag: false,
      lastApply: { at: '2026-11-02T08:05:00.000Z', added: 1, changed: 0, destroyed: 0 },
    },
  },
  history: [],
};

/**
 * Facts that allow every recovery method. Each test row changes one of them, which alone prevents
 * an outage.
 */
export const allowed: RecoveryFacts = {
  words: gitlabTerms,
  record,
  shard: purple,
  active: pink,
  quarantined: true,
  contacted: true,
  jobs: [],
  tags: ['canary-1-200-linux'],
  hiddenJob: 'no',
  hostJobs: 0,
  machines: ['i-0abc0000000000002'],
  managers: 1,
  registrationGone: false,
  tokenLost: false,
  somethingHappened: undefined,
  lastingCause: undefined,
  knowsAddresses: true,
  forceWhenNoneAccepts: false,
  lastJobs: ['failed', 'failed'],
};
