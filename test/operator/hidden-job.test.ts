import { describe, expect, test } from '@jest/globals';
import { judgeHiddenJob } from '../../src/domain/deployment/recovery-methods.ts';

describe('a job that the token is not shown', () => {
  const silent: Parameters<typeof judgeHiddenJob>[0] = {
    executions: ['unknown'],
    lostRecord: false,
    showsJobs: false,
    contacted: true,
    hostsSpeak: false,
    machines: ['i-0abc0000000000002'],
  };
  const lost = { executions: [], contacted: false, lostRecord: true };
  test.each<[string, Partial<typeof silent>, ReturnType<typeof judgeHiddenJob>]>([
    ['may run where nobody says anything', {}, 'unknown'],
    ['may run where the machines cannot be listed', { machines: 'unknown' }, 'unknown'],
    ['may run though another registration is idle', { executions: ['idle', 'unknown'] }, 'unknown'],
    ['runs where GitLab says so and lists none', { executions: ['active'] }, 'yes'],
    ['runs whoever else says nothing', { executions: ['unknown', 'active'] }, 'yes'],
    ['is the one that is listed', { executions: ['active'], showsJobs: true }, 'no'],
    ['is not there where GitLab says idle', { executions: ['idle'] }, 'no'],
    ['is not there where the list is proven to be whole', { executions: ['listed'] }, 'no'],
    ['is not there where every host speaks', { hostsSpeak: true }, 'no'],
    ['is not there where no machine is', { machines: [] }, 'no'],
    ['is not there where no manager ever contacted', { contacted: false }, 'no'],
    ['is not there where no registration is', { executions: [] }, 'no'],
    ['may run on where the registration was deleted', { ...lost }, 'unknown'],
    ['has ended where it was deleted and every host speaks', { ...lost, hostsSpeak: true }, 'no'],
    ['has ended where it was deleted and no machine is', { ...lost, machines: [] }, 'no'],
  ])('%s', (_, change, expected) => {
    expect(judgeHiddenJob({ ...silent, ...change })).toBe(expected);
  });
});
