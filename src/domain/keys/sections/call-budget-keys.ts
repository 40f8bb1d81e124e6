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
      'Maximum number of calls to GitLab in any minute, shared by all stacks of one process. If stacks differ, the smallest number applies.',
    otherwise:
      'nine tenths of the limit that GitLab reports for a minute, or 1500 if it reports none',
    only: 'gitlab',
  }),
  hour: key('gitlab.calls_per_hour', calls, {
    description:
      'Maximum number of calls to GitLab in any hour, shared by all stacks of one process. If stacks differ, the smallest number applies.',
    otherwise: "none until half of GitLab's limit is used, then nine tenths of the remaining calls",
    only: 'gitlab',
  }),
};
