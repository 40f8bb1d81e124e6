import { expect, test } from '@jest/globals';
import { formatStates } from '../../src/domain/instance.ts';

const of = (state: 'terminated' | 'running', ...hours: readonly number[]) =>
  hours.map((hour) => ({ id: `i-${hour}`, state, launchedAt: `2026-07-01T0${hour}:00:00Z` }));

test.each([
  ['nothing', [], ''],
  ['two', of('terminated', 1, 2), 'i-2 is terminated, i-1 is terminated'],
  [
    'instances of earlier deployments',
    of('terminated', 3, 1, 5, 4, 2),
    'i-5 is terminated, i-4 is terminated, 3 older ones are terminated',
  ],
  [
    'an old instance that runs',
    [...of('terminated', 3, 4, 2), ...of('running', 1)],
    'i-4 is terminated, i-3 is terminated, i-1 is running, 1 older one is terminated',
  ],
])('EC2 states are listed with the newest instances first: %s', (_, instances, expected) => {
  expect(formatStates(instances)).toBe(expected);
});
