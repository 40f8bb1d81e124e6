import { usualRates } from '../../health/fault-rate.ts';
import { key } from '../key.ts';
import { describedAs, mapping } from '../key-mapping.ts';
import {
  choice,
  converted,
  decimal,
  duration,
  durationOrNone,
  list,
  text,
  whole,
} from '../values.ts';

const use = choice(['required', 'report', 'off']);

/** URL without user and password: secrets come from the environment. */
const address = (example: string) =>
  text(
    `an http:// or https:// address such as ${example}`,
    /^https?:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})(?::\d{1,5})?(?:\/[A-Za-z0-9_.~%/-]{0,500})?$/,
  );

const query = converted(
  mapping('a query such as {query: …, url: …, above: 0.05, for: 5m}', {
    query: { accepts: text('a query of PromQL', /^[^\u0000-\u0009\u000b-\u001f\u007f]{1,2000}$/) },
    url: { accepts: address('http://prometheus.example.com:9090') },
    above: { accepts: decimal('a number', { min: -1e12, max: 1e12 }) },
    for: { accepts: duration({ min: '0s', max: '1d' }), default: '5m' },
    use: { accepts: choice(['required', 'report']), default: 'required' },
  }),
  ({ url, for: forMs, ...others }) => ({ ...others, url: url.replace(/\/+$/, ''), forMs }),
);

const signals = {
  health: key('bake.signals.health', use, {
    description:
      'Collects the evidence of the healthcheck again, without the canary. With report, the result is only logged.',
    otherwise: 'required, or off if the canary is the only evidence',
  }),
  canary: key('bake.signals.canary', use, {
    description:
      'Detects a shard that no longer starts jobs: runs a canary when bake.for has passed and the old shard is drained. While the bake waits for jobs, it repeats the canary after each further period of bake.for.',
    otherwise: 'required, or off with canary.kind off',
  }),
  failures: key('bake.signals.failures', use, {
    description:
      'Detects customer jobs whose script fails on the new shard but succeeded on the old one (same project and name).',
    otherwise: 'report, or off with runners github',
  }),
  starvationMs: key('bake.signals.starvation', durationOrNone({ min: '1s', max: '1d' }), {
    default: 'none',
    description:
      "Longest time that a customer job with the stack's tags may wait while the new shard starts no job. Needs a token that can list the jobs of the customers' projects.",
    only: 'gitlab',
  }),
  prometheus: key(
    'bake.signals.prometheus',
    describedAs(
      list('a list of queries', query, { most: 10, refusal: 'expected at most 10 queries' }),
      'list of `query`, `url`, `above`, `for` (5m), `use` (`required`, `report`)',
    ),
    {
      default: [],
      description:
        'Prometheus queries: a query is bad if the highest value of its series exceeds `above` for the duration `for`. A missing response or value is ignored.',
    },
  ),
  cloudwatchAlarms: key(
    'bake.signals.cloudwatch_alarms',
    list(
      'a list of names',
      text('the name of an alarm of CloudWatch', /^[^\u0000-\u001f\u007f]{1,255}$/),
      { most: 50, refusal: 'expected at most 50 alarms' },
    ),
    {
      default: [],
      description:
        'CloudWatch alarms in the account and region of the stack. ALARM is bad, OK is good, and INSUFFICIENT_DATA is ignored.',
    },
  ),
  webhookUrl: key('bake.signals.webhook.url', address('https://judge.example.com/runners'), {
    description:
      'Address that each check queries (POST) for a verdict. 2xx is good, 4xx is bad (except 401, 403, 407, 408 and 429), and every other response is ignored.',
    otherwise: 'none',
  }),
};

/**
 * Limit of jobs: the newest thousand of a runner per result are read (`readJobHistory`). Canaries
 * do not count, and up to a hundred may be among them.
 */
const countable = whole('a number', {
  min: 0,
  max: 900,
  because: 'only the newest thousand jobs of each status are read, including canaries',
});

export const bakeKeys = {
  forMs: key('bake.for', durationOrNone({ min: '1s', max: '7d' }), {
    default: 'none',
    description:
      'Duration of the bake: the promoted shard runs customer jobs and is checked, while the paused old shard still exists. none disables the bake.',
  }),
  atMostMs: key('bake.at_most', duration({ min: '1s', max: '30d' }), {
    default: '6h',
    description:
      'Longest duration of the bake, even if jobs are too few or a signal has no response.',
  }),
  jobs: key('bake.jobs', countable, {
    default: 20,
    description:
      'Number of customer jobs that must end on the new shard for the verdict healthy. With 0, and always with runners github, no job is required.',
  }),
  pollMs: key('bake.poll', duration({ min: '100ms', max: '10m' }), {
    default: '1m',
    description:
      'Interval between checks, extended if bake.at_most would need more than 20,000 checks. Three consecutive bad checks make the verdict unhealthy.',
  }),
  rates: {
    baseline: key('bake.faults.baseline', decimal('a part of 1', { min: 0.000_01, max: 0.5 }), {
      default: usualRates.baseline,
      description:
        'Failure rate of a good runner: the share of its jobs that fail because of the runner. If the old shard had a higher rate, that rate applies.',
    }),
    alpha: key('bake.faults.alpha', decimal('a part of 1', { min: 0.000_000_1, max: 0.05 }), {
      default: usualRates.alpha,
      description:
        'Threshold: the shard is unhealthy if a good runner would have that many failures or more with a probability below this value. A smaller value rolls back fewer good deployments, but rolls back bad deployments later.',
    }),
  },
  signals,
  onUnhealthy: key('bake.on_unhealthy', choice(['off', 'report', 'hold', 'rollback']), {
    description:
      'Action after a bad verdict: rollback (once), hold (until an operator decides), report or off. With report but without bake.for, customer jobs are checked during the drain.',
    otherwise: 'rollback if bake.for is set, otherwise off',
  }),
  onInconclusive: key('bake.on_inconclusive', choice(['proceed', 'hold']), {
    default: 'proceed',
    description:
      'Action if the bake ends without a verdict, because of too few jobs or a signal without a response.',
  }),
};
