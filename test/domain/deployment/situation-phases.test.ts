import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import {
  formatSituation,
  type SituationFacts,
} from '../../../src/domain/deployment/situation-text.ts';
import { allPhases, type Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import type { Service } from '../../../src/domain/health/service-verdict.ts';
import { jobOf, phasesFrom, pink, purple, recordAt } from '../samples.ts';

const proven: Service = { kind: 'proven', reason: 'job 1 began' } as Service;
const closed: Service = { kind: 'closed', reason: 'runner 5 is paused' } as Service;
const unread: Service = {
  kind: 'unknown',
  reason: '502 Bad Gateway',
  missing: 'an answer',
  open: false,
  against: false,
};

/** Lists the phases in which the situation contains these words. */
function listPhases(
  words: string,
  facts: Omit<Partial<SituationFacts>, 'service'> & { pink: Service; purple: Service },
): Phase[] {
  const { pink: ofPink, purple: ofPurple, ...rest } = facts;
  return allPhases.filter((phase) =>
    formatSituation({
      shards: [pink, purple],
      status: { kind: 'known', active: pink, inactive: purple },
      deployment: recordAt({ phase }).deployment,
      customers: [],
      words: gitlabTerms,
      service: (shard) => (shard === pink ? ofPink : ofPurple),
      ...rest,
    }).includes(words),
  );
}

const early: Phase[] = ['prepared', 'onboarded', 'applying', 'applied', 'healthy', 'retreating'];

describe('the situation in each phase', () => {
  test('names a job on the candidate before promoting alone', () => {
    const facts = { pink: proven, purple: closed, customers: [jobOf()] };
    expect(listPhases('Job 9 "build" of customers/shop is running on purple', facts)).toEqual(
      early,
    );
  });

  test('names a candidate outside of quarantine before promoting alone', () => {
    const facts = { pink: proven, purple: proven };
    expect(listPhases('purple is built but not in quarantine.', facts)).toEqual(early);
  });

  test('names a candidate without a machine once it is applied, and before promoting', () => {
    const facts = { pink: proven, purple: closed, machineless: true };
    const phases = listPhases('purple was built but has no machine', facts);
    expect(phases).toEqual(['applied', 'healthy']);
    expect(listPhases('has no machine', { ...facts, machineless: false })).toEqual([]);
  });

  test('names an old shard that accepts jobs from its drain to its removal', () => {
    const facts = { pink: proven, purple: proven };
    const is = (since: string) =>
      listPhases(`pink must take no new jobs, but its runner is ${since}.`, facts);
    expect(is('still unpaused')).toEqual(['draining']);
    expect(is('unpaused again')).toEqual(phasesFrom('drained', 'destroying'));
  });

  test('quotes the record alone if the candidate is unknown, before promoting', () => {
    expect(listPhases('According to the record, ', { pink: proven, purple: unread })).toEqual(
      early,
    );
    expect(listPhases('According to the record, ', { pink: proven, purple: closed })).toEqual([]);
  });
});
