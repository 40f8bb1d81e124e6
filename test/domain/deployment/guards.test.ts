import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import {
  isAcceptingJobs,
  refuseHealthyCandidate,
  refuseOwnRunner,
} from '../../../src/domain/deployment/guards/guards.ts';
import type { Registration, RegistryJob } from '../../../src/domain/registration.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { jobOf, pink, purple, recordAt, registrationOf } from '../samples.ts';

const settings = stackSettings();

describe('the guard of the inactive shard', () => {
  test.each<[string, Registration | undefined, readonly RegistryJob[], string | undefined]>([
    ['allows a shard without a runner', undefined, [], undefined],
    ['allows a shard in quarantine', registrationOf(), [], undefined],
    [
      'allows production tags on a paused runner',
      registrationOf({ tags: ['linux'], paused: true }),
      [],
      undefined,
    ],
    [
      'refuses production tags on an unpaused runner',
      registrationOf({ tags: ['linux'] }),
      [],
      'runner 48214 of purple is not paused and has the production tags linux',
    ],
    [
      'refuses a runner that takes untagged jobs',
      registrationOf({ runUntagged: true }),
      [],
      'runner 48214 of purple is not paused and has the production tags canary-1-200-linux',
    ],
    [
      'refuses a customer job, even on a paused runner',
      registrationOf({ paused: true }),
      [jobOf()],
      'runner 48214 has a job: job 9 "build" of customers/shop is running on purple; it is not the canary of hosted-runner, so customers/shop itself requests the tag canary-1-200-linux',
    ],
    [
      'refuses a job on a runner with production tags',
      registrationOf({ tags: ['linux'], paused: true }),
      [jobOf()],
      'runner 48214 has a job: job 9 "build" of customers/shop is running on purple',
    ],
  ])('%s', (_, registration, jobs, refusal) => {
    const of = { shard: purple, settings, record: recordAt() };
    const facts = { of, registration, jobs, words: gitlabTerms };
    expect(refuseHealthyCandidate(facts)).toBe(refusal);
  });
});

describe('a shard and the tags of its runner', () => {
  const accepting = registrationOf({ tags: ['linux', 'arm'] });
  test.each<[string, Registration | undefined, boolean]>([
    ['accepts jobs unpaused, contacted and with a production tag', accepting, true],
    ['accepts none while it is paused', { ...accepting, paused: true }, false],
    ['accepts none before a manager contacts GitLab', { ...accepting, contacted: false }, false],
    ['accepts none with other tags', { ...accepting, tags: ['arm'] }, false],
    ['accepts none without a runner', undefined, false],
    ['accepts untagged jobs', registrationOf({ runUntagged: true }), true],
  ])('%s', (_, registration, expected) => {
    expect(isAcceptingJobs(registration, { shard: purple, settings, record: recordAt() })).toBe(
      expected,
    );
  });

  test('accepts jobs with tags of an earlier configuration if one is still a production tag', () => {
    const changed = stackSettings({
      registration: { ...settings.registration, tags: ['linux', 'new'] },
    });
    const of = { shard: purple, settings: changed, record: recordAt() };
    expect(isAcceptingJobs(accepting, of)).toBe(true);
  });
});

describe('rule 7: a stage', () => {
  const facts = { registrationId: '48213', shard: pink, settings };

  test('never touches the runner that runs it', () => {
    expect(refuseOwnRunner({ ...facts, ownRegistrationId: '48213' })).toBe(
      'this job runs on runner 48213 "pink-linux", which belongs to the shard that it would change',
    );
  });

  test.each([undefined, '48214'])('may run on any other runner (%s)', (ownRegistrationId) => {
    expect(refuseOwnRunner({ ...facts, ownRegistrationId })).toBeUndefined();
  });
});
