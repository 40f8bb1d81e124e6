import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import {
  hasRegistrationMark,
  type OnboardingFacts,
  planOnboarding,
  registrationMark,
} from '../../../src/domain/deployment/onboarding.ts';
import { untouchedShard } from '../../../src/domain/deployment/record.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { registrationOf } from '../samples.ts';

const id = '48214' as RegistrationId;
const fresh = registrationOf({ contacted: false });
const used = registrationOf();
const another = registrationOf({ id: '48215' as RegistrationId, contacted: false });
const foreign = registrationOf({ id: '48216' as RegistrationId, note: 'mine', contacted: false });
const known = { ...untouchedShard, registration: id, tokenWritten: true };

function plan(facts: Partial<OnboardingFacts>) {
  const chosen = planOnboarding({
    entry: untouchedShard,
    registrations: [],
    tokenPresent: false,
    hasOwnMark: ({ note }) => hasRegistrationMark(note),
    words: gitlabTerms,
    ...facts,
  });
  if (chosen.kind === 'refuse') return [chosen.code, chosen.reason];
  const removed = chosen.remove.map((one) => `remove ${one.id}`);
  return [chosen.kind, chosen.reason, ...removed];
}

describe('the candidate’s registration', () => {
  test.each<[string, Partial<OnboardingFacts>, readonly string[]]>([
    ['is created where there is none', {}, ['create', 'there is none']],
    [
      'is created again where somebody deleted it',
      { entry: known },
      ['create', 'runner 48214 is gone'],
    ],
    [
      'is kept with its token',
      { entry: known, registrations: [fresh], tokenPresent: true },
      ['keep', 'runner 48214 and its token are there'],
    ],
    [
      'gets a new token where the old one was lost before anybody used it',
      { entry: known, registrations: [fresh] },
      ['reset_token', 'the token of runner 48214 is lost and no manager has used it'],
    ],
    [
      'gets a new token where the old one has ended before anybody used it',
      { entry: known, registrations: [fresh], tokenPresent: true, tokenEnded: true },
      ['reset_token', 'the token of runner 48214 has ended before any manager used it'],
    ],
    [
      'is refused where the token that a manager uses has ended: reset, it would be lost to the host',
      { entry: known, registrations: [used], tokenPresent: true, tokenEnded: true },
      ['TokenLost', 'the token of runner 48214, which a manager uses, has ended'],
    ],
    [
      'gets a new token where it is not known whether the one that is there is its own',
      { entry: { ...known, tokenWritten: false }, registrations: [fresh], tokenPresent: true },
      ['reset_token', 'the token of runner 48214 is lost and no manager has used it'],
    ],
    [
      'is kept where a manager contacted with the token that is there',
      { registrations: [used], tokenPresent: true },
      ['keep', 'runner 48214 was contacted with the token that is there'],
    ],
    [
      'is refused where a manager uses a token that is lost',
      { entry: known, registrations: [used] },
      ['TokenLost', 'a manager uses the token of runner 48214, and Parameter Store has it no more'],
    ],
    [
      'is refused where the record knows of a contact that GitLab has forgotten',
      { entry: { ...known, contacted: true }, registrations: [fresh] },
      ['TokenLost', 'a manager uses the token of runner 48214, and Parameter Store has it no more'],
    ],
    [
      'begins anew with a registration other than the one of which the record knows a contact',
      { entry: { ...known, contacted: true }, registrations: [another] },
      ['reset_token', 'the token of runner 48215 is lost and no manager has used it'],
    ],
    [
      'loses duplicates that nobody ever contacted with',
      { entry: known, registrations: [another, used], tokenPresent: true },
      ['keep', 'runner 48214 and its token are there', 'remove 48215'],
    ],
    [
      'is taken from the first of several that nobody contacted with',
      { registrations: [another, fresh] },
      [
        'reset_token',
        'the token of runner 48215 is lost and no manager has used it',
        'remove 48214',
      ],
    ],
    [
      'is refused where two of them have managers',
      { entry: known, registrations: [used, { ...another, contacted: true }], tokenPresent: true },
      [
        'DuplicateRegistrations',
        "runners 48214 and 48215 both have the candidate's description and were contacted by managers",
      ],
    ],
    [
      'is refused where one of them is somebody else’s',
      { entry: known, registrations: [fresh, foreign], tokenPresent: true },
      ['ForeignRegistration', "runner 48216 has the candidate's description and is not ours"],
    ],
    [
      'may be without our mark where the record names it',
      { entry: known, registrations: [{ ...used, note: '' }], tokenPresent: true },
      ['keep', 'runner 48214 and its token are there'],
    ],
  ])('%s', (_, facts, expected) => {
    expect(plan(facts)).toEqual(expected);
  });
});

test('a note of ours is told from one that only begins like it', () => {
  expect(hasRegistrationMark(registrationMark('1-200'))).toBe(true);
  expect(hasRegistrationMark('hosted-runner-deployment of mine')).toBe(false);
});
