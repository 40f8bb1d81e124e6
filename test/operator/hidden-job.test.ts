import { describe, expect, test } from '@jest/globals';
import { judgeHiddenJob } from '../../src/domain/deployment/recovery-methods.ts';

describe('a job that the token cannot see', () => {
  const noReports: Parameters<typeof judgeHiddenJob>[0] = {
    executions: ['unknown'],
    lostRecord: false,
    showsJobs: false,
    contacted: true,
    hostsSpeak: false,
    machines: ['i-0abc0000000000002'],
  };
  const lost = { executions: [], contacted: false, lostRecord: true };
  test.each<[string, Partial<typeof noReports>, ReturnType<typeof judgeHiddenJob>]>([
    ['may run if no source reports anything', {}, 'unknown'],
    ['may run if the machines cannot be listed', { machines: 'unknown' }, 'unknown'],
    ['may run although another runner is idle', { executions: ['idle', 'unknown'] }, 'unknown'],
    ['runs if GitLab reports it and lists none', { executions: ['active'] }, 'yes'],
    [
      'runs if one runner reports it and another reports nothing',
      { executions: ['unknown', 'active'] },
      'yes',
    ],
    ['equals the job that is listed', { executions: ['active'], showsJobs: true }, 'no'],
    ['does not exist if GitLab reports idle', { executions: ['idle'] }, 'no'],
    ['does not exist if the list is proven to be complete', { executions: ['listed'] }, 'no'],
    ['does not exist if every host responds', { hostsSpeak: true }, 'no'],
    ['does not exist without a machine', { machines: [] }, 'no'],
    ['does not exist without any contact of a manager', { contacted: false }, 'no'],
    ['does not exist without a runner', { executions: [] }, 'no'],
    ['may continue after its runner was deleted', { ...lost }, 'unknown'],
    [
      'has ended if its runner was deleted and every host responds',
      { ...lost, hostsSpeak: true },
      'no',
    ],
    ['has ended if its runner was deleted and no machine exists', { ...lost, machines: [] }, 'no'],
  ])('%s', (_, change, expected) => {
    expect(judgeHiddenJob({ ...noReports, ...change })).toBe(expected);
  });
});
