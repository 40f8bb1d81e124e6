import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import {
  isServing,
  refuseHealthyCandidate,
  refuseOwnRunner,
} from '../../../src/domain/deployment/guards/guards.ts';
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
