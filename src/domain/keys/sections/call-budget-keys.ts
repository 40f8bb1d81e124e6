import { key } from '../key.ts';
import { whole } from '../values.ts';

const calls = whole('a number of calls', {
  min: 1,
  max: 10_000_000,
  because: 'without the key, the limit that GitLab reports is obeyed',
});

export const callBudgetKeys = {
  minute: key('gitlab.calls_per_minute', calls, {
    description:
      'Maximum calls to GitLab in any minute, for all stacks of one process together. If stacks differ, the smallest number applies.',
    otherwise:
      'nine tenths of the limit that GitLab reports for a minute, or 1500 if it reports none',
    only: 'gitlab',
  }),
  hour: key('gitlab.calls_per_hour', calls, {
    description:
      'Maximum calls to GitLab in any hour, for all stacks of one process together. If stacks differ, the smallest number applies.',
    otherwise:
      'nine tenths of the calls that GitLab reports as remaining, after half of its limit is used',
    only: 'gitlab',
  }),
};
