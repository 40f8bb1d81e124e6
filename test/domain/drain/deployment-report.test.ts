import { expect, test } from '@jest/globals';
import { withIntake } from '../../../src/domain/drain/shard-intake.ts';
import { reportDeployment, reportHistory } from '../../../src/operator/deployment-report.ts';
import { pink } from '../../fakes/builders.ts';
import { recordAt } from '../samples.ts';

const at = '2026-11-02T09:00:00.000Z';

test('the JSON report has the keys that its schema promises', () => {
  const autoRollback = { id: '1-200', at, why: 'jobs failed' };
  const record = recordAt({ phase: 'draining', autoRollback });
  expect(reportDeployment(withIntake(record, pink, 'drain_finds_pause', at))).toMatchObject({
    closedByOther: true,
    takesBack: autoRollback,
  });
  expect(reportDeployment(recordAt())).toEqual(recordAt().deployment);
});

test('the JSON report of a deployment that was rolled back has the key taken_back', () => {
  const [finished] = recordAt().history;
  if (finished === undefined) throw new Error('no history');
  const history = [{ ...finished, isRolledBack: true as const }, finished];
  expect(reportHistory({ ...recordAt(), history })).toEqual([
    { ...finished, takenBack: true },
    finished,
  ]);
});
