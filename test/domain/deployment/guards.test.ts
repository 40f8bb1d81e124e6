import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import {
  isServing,
  refuseCandidateRemoval,
  refuseHealthyCandidate,
  refuseOwnRunner,
} from '../../../src/domain/deployment/guards/guards.ts';
import type { ShardEntry } from '../../../src/domain/deployment/record.ts';
import type { Registration, RegistryJob } from '../../../src/domain/registration.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { jobOf, pink, purple, recordAt, registrationOf } from '../samples.ts';

const settings = stackSettings();

describe('the inactive shard is touched', () => {
  test.each<[string, Registration | undefined, readonly RegistryJob[], string | undefined]>([
    ['where it has no registration', undefined, [], undefined],
    ['in quarantine', registrationOf(), [], undefined],
    [
      'with production tags, while it is paused',
      registrationOf({ tags: ['linux'], paused: true }),
      [],
      undefined,
    ],
    [
      'never with production tags',
      registrationOf({ tags: ['linux'] }),
      [],
      'runner 48214 is not paused and has the production tags linux',
    ],
    [
      'never while it takes untagged jobs',
      registrationOf({ runUntagged: true }),
      [],
      'runner 48214 is not paused and has the production tags canary-1-200-linux',
    ],
    [
      'never with a customer’s job, even paused',
      registrationOf({ paused: true }),
      [jobOf()],
      'runner 48214: job 9 "build" of customers/shop is running on purple; it is not our canary, so customers/shop asks for the tag canary-1-200-linux itself',
    ],
    [
      'never with a job in production tags',
      registrationOf({ tags: ['linux'], paused: true }),
      [jobOf()],
      'runner 48214: job 9 "build" of customers/shop is running on purple',
    ],
  ])('%s', (_, registration, jobs, refusal) => {
    const of = { shard: purple, settings, record: recordAt() };
    const facts = { of, registration, jobs, words: gitlabTerms };
    expect(refuseHealthyCandidate(facts)).toBe(refusal);
  });
});

describe('a shard serves', () => {
  const serving = registrationOf({ tags: ['linux', 'arm'] });
  test.each<[string, Registration | undefined, boolean]>([
    ['un-paused, contacted, with a production tag', serving, true],
    ['not when paused', { ...serving, paused: true }, false],
    ['not before a manager contacted', { ...serving, contacted: false }, false],
    ['not with other tags', { ...serving, tags: ['arm'] }, false],
    ['not without a registration', undefined, false],
    ['untagged jobs', registrationOf({ runUntagged: true }), true],
  ])('%s', (_, registration, expected) => {
    expect(isServing(registration, { shard: purple, settings, record: recordAt() })).toBe(expected);
  });

  test('with the tags of an earlier configuration, as long as one is still a production tag', () => {
    const changed = stackSettings({
      registration: { ...settings.registration, tags: ['linux', 'new'] },
    });
    const of = { shard: purple, settings: changed, record: recordAt() };
    expect(isServing(serving, of)).toBe(true);
  });
});

describe('rule 6: a candidate is removed without a drain', () => {
  function refusal(
    entry: Partial<ShardEntry>,
    facts: Partial<Parameters<typeof refuseCandidateRemoval>[0]> = {},
  ) {
    const record = recordAt({}, { purple: entry });
    return refuseCandidateRemoval({
      record,
      shard: purple,
      contacted: true,
      jobs: [],
      tags: ['canary-1-200-linux'],
      hostJobs: 0,
      active: pink,
      words: gitlabTerms,
      ...facts,
    });
  }

  test.each<[string, Partial<ShardEntry>, Parameters<typeof refusal>[1], string | undefined]>([
    ['when no manager ever contacted', {}, { contacted: false }, undefined],
    ['after two unhealthy verdicts in a row', { unhealthyInARow: 2 }, {}, undefined],
    [
      'never after one',
      { unhealthyInARow: 1 },
      {},
      'purple was found unhealthy once; it takes two in a row, or a manager that never contacted GitLab',
    ],
    [
      'never once it had a production tag',
      { unhealthyInARow: 2, productionTag: true },
      { contacted: false },
      'purple had production tags and is not drained',
    ],
    [
      'never when it is active',
      { unhealthyInARow: 2 },
      { active: purple },
      'purple is the active shard',
    ],
    [
      'never with a job in GitLab',
      { unhealthyInARow: 2 },
      { jobs: [jobOf()] },
      'job 9 "build" of customers/shop is running on purple; it is not our canary, so customers/shop asks for the tag canary-1-200-linux itself',
    ],
    [
      'never with a job on its host',
      { unhealthyInARow: 2 },
      { hostJobs: 1 },
      'the host of purple says that it runs 1 job',
    ],
  ])('%s', (_, entry, facts, expected) => {
    expect(refusal(entry, facts)).toBe(expected);
  });
});

describe('rule 7: a stage', () => {
  const facts = { registrationId: '48213', shard: pink, settings };

  test('never touches the runner that runs it', () => {
    expect(refuseOwnRunner({ ...facts, ownRegistrationId: '48213' })).toBe(
      'this job runs on runner 48213 "pink-linux", the very shard that it would touch',
    );
  });

  test.each([undefined, '48214'])('may run on any other (%s)', (ownRegistrationId) => {
    expect(refuseOwnRunner({ ...facts, ownRegistrationId })).toBeUndefined();
  });
});
