import { describe, expect, test } from '@jest/globals';
import {
  judgeMethods,
  type RecoveryFacts,
  type RecoveryMethod,
} from '../../../src/domain/deployment/recovery-methods.ts';
import { allPhases, type Phase } from '../../../src/domain/deployment/stages-and-steps.ts';
import { allowed, record } from '../../operator/recover/allowed-recovery.ts';
import { jobOf, phasesFrom } from '../samples.ts';

/** Lists the phases in which the method can help, with all other conditions met. */
function helpsIn(method: RecoveryMethod, facts: Partial<RecoveryFacts> = {}): Phase[] {
  return allPhases.filter((phase) => {
    const deployment = { ...record.deployment, phase };
    const given = { ...allowed, record: { ...record, deployment }, ...facts };
    return judgeMethods(given, 'person').some(
      (one) => one.method === method && one.kind === 'can_help',
    );
  });
}

describe('a recovery method in each phase', () => {
  test('rerun beside a job helps from promoting on, and in a retreat', () => {
    expect(helpsIn('rerun')).toEqual(allPhases);
    expect(helpsIn('rerun', { jobs: [jobOf()] })).toEqual([
      ...phasesFrom('promoting'),
      'retreating',
    ]);
  });

  test('cleanup of a candidate that an operator may remove helps in every phase', () => {
    expect(helpsIn('cleanup')).toEqual(allPhases);
    expect(helpsIn('cleanup', { jobs: [jobOf()] })).toEqual([]);
  });

  test('replace helps once the candidate is built', () => {
    expect(helpsIn('replace')).toEqual(phasesFrom('applied'));
  });

  test('terminate of a shard outside of quarantine helps once it is drained', () => {
    expect(helpsIn('terminate')).toEqual(allPhases);
    expect(helpsIn('terminate', { quarantined: false })).toEqual(phasesFrom('drained', 'done'));
  });

  test('terminate without a response about jobs needs a drain or a removed runner, and the machine’s name', () => {
    const unsaid = { hiddenJob: 'unknown' } as const;
    expect(helpsIn('terminate', unsaid)).toEqual([]);
    expect(helpsIn('terminate', { ...unsaid, isMachineNamed: true })).toEqual(
      phasesFrom('draining'),
    );
    const gone = { ...unsaid, isMachineNamed: true, registrationGone: true };
    expect(helpsIn('terminate', gone)).toEqual(allPhases);
  });
});
