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

describe('the runner of a candidate', () => {
  test.each<[string, Partial<OnboardingFacts>, readonly string[]]>([
    ['is created if none exists', {}, ['create', 'it had no runner']],
    [
      'is created again if it was deleted',
      { entry: known },
      ['create', 'runner 48214 no longer exists'],
    ],
    [
      'is kept with its token',
      { entry: known, registrations: [fresh], tokenPresent: true },
      ['keep', 'runner 48214 and its token exist'],
    ],
    [
      'gets a new token if the old one was lost before its first use',
      { entry: known, registrations: [fresh] },
      ['reset_token', 'the token of runner 48214 is lost and no manager has used it'],
    ],
    [
      'gets a new token if the old one expired before its first use',
      { entry: known, registrations: [fresh], tokenPresent: true, tokenEnded: true },
      ['reset_token', 'the token of runner 48214 has expired before any manager used it'],
    ],
    [
      'is refused if the token that a manager uses has expired, because the host would lose a reset token',
      { entry: known, registrations: [used], tokenPresent: true, tokenEnded: true },
      ['TokenLost', 'the token of runner 48214, which a manager uses, has expired'],
    ],
    [
      'gets a new token if the stored token may belong to another runner',
      { entry: { ...known, tokenWritten: false }, registrations: [fresh], tokenPresent: true },
      ['reset_token', 'the token of runner 48214 is lost and no manager has used it'],
    ],
    [
      'is kept if a manager made contact with the stored token',
      { registrations: [used], tokenPresent: true },
      ['keep', 'a manager of runner 48214 has contacted GitLab with the stored token'],
    ],
    [
      'is refused if the token that a manager uses is lost',
      { entry: known, registrations: [used] },
      [
        'TokenLost',
        'a manager uses the token of runner 48214, but Parameter Store no longer has it',
      ],
    ],
    [
      'is refused if the record has a contact that GitLab has forgotten',
      { entry: { ...known, contacted: true }, registrations: [fresh] },
      [
        'TokenLost',
        'a manager uses the token of runner 48214, but Parameter Store no longer has it',
      ],
    ],
    [
      'gets a new token if the contact in the record belongs to another runner',
      { entry: { ...known, contacted: true }, registrations: [another] },
      ['reset_token', 'the token of runner 48215 is lost and no manager has used it'],
    ],
    [
      'loses duplicates that no manager ever contacted',
      { entry: known, registrations: [another, used], tokenPresent: true },
      ['keep', 'runner 48214 and its token exist', 'remove 48215'],
    ],
    [
      'is the first of several that no manager contacted',
      { registrations: [another, fresh] },
      [
        'reset_token',
        'the token of runner 48215 is lost and no manager has used it',
        'remove 48214',
      ],
    ],
    [
      'is refused if two runners have managers',
      { entry: known, registrations: [used, { ...another, contacted: true }], tokenPresent: true },
      [
        'DuplicateRegistrations',
        "runners 48214 and 48215 both have the candidate's description, and managers of both have contacted GitLab",
      ],
    ],
    [
      'is refused if a runner has its description that hosted-runner did not create',
      { entry: known, registrations: [fresh, foreign], tokenPresent: true },
      [
        'ForeignRegistration',
        "runner 48216 was not created by hosted-runner, and has the description of the candidate's runner",
      ],
    ],
    [
      'may lack the mark of hosted-runner if the record names it',
      { entry: known, registrations: [{ ...used, note: '' }], tokenPresent: true },
      ['keep', 'runner 48214 and its token exist'],
    ],
  ])('the runner %s', (_, facts, expected) => {
    expect(plan(facts)).toEqual(expected);
  });
});

test('distinguishes a note of hosted-runner from one with the same beginning', () => {
  expect(hasRegistrationMark(registrationMark('1-200'))).toBe(true);
  expect(hasRegistrationMark('hosted-runner-deployment of mine')).toBe(false);
});
