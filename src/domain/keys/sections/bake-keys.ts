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

/** Without user and password: secrets come from the environment. */
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
      "The healthcheck's evidence, looked for again without a canary. report: what it finds is said and decides nothing.",
    otherwise: 'required; off where canary is all the evidence that there is',
  }),
  canary: key('bake.signals.canary', use, {
    description:
      'A canary once the time is over and the old shard is drained, and once in each such time while jobs are waited for: it finds the shard that starts no job any more.',
    otherwise: 'required; off with canary.kind off',
  }),
  failures: key('bake.signals.failures', use, {
    description:
      "Customers' jobs whose script fails on the new shard and did not on the old one: the same project and name.",
    otherwise: 'report; off with runners github',
  }),
  starvationMs: key('bake.signals.starvation', durationOrNone({ min: '1s', max: '1d' }), {
    default: 'none',
    description:
      "So long a customer's job with the stack's tags may wait, by our own looks, while the new shard starts none. It needs a token that lists the jobs of the customers' projects.",
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
        'Queries of Prometheus. Bad: the highest value of the answer is above, for so long. No answer, and an answer without a value, says nothing.',
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
        'Alarms of CloudWatch in the account and region of the stack. ALARM is bad, OK is good, INSUFFICIENT_DATA says nothing.',
    },
  ),
  webhookUrl: key('bake.signals.webhook.url', address('https://judge.example.com/runners'), {
    description:
      'Is asked by POST at each look what it thinks of the deployment. 2xx is good, 4xx is bad, anything else says nothing.',
    otherwise: 'none',
  }),
};

/**
 * Of a runner's jobs the newest thousand of each ending are read (`readJobHistory`). Canaries are among
 * them and do not count; there is room for a hundred.
 */
const countable = whole('a number', {
  min: 0,
  max: 900,
  because: 'only the newest thousand jobs of each ending are seen, canaries among them',
});

export const bakeKeys = {
  forMs: key('bake.for', durationOrNone({ min: '1s', max: '7d' }), {
    default: 'none',
    description:
      "So long the new shard is watched under customers' jobs after it was promoted, while the old one is paused and alive. none: it is not.",
  }),
  atMostMs: key('bake.at_most', duration({ min: '1s', max: '30d' }), {
    default: '6h',
    description:
      'After this the watching ends, whatever it has found: too few jobs and signals without an answer do not hold a deployment for ever.',
  }),
  jobs: key('bake.jobs', countable, {
    default: 20,
    description:
      "So many customers' jobs have to end on the new shard for a verdict of healthy. 0: none, and then only too many faults count; always 0 with runners github.",
  }),
  pollMs: key('bake.poll', duration({ min: '100ms', max: '10m' }), {
    default: '1m',
    description:
      'How often it is looked at. Bad in three looks running is a verdict. Less often where 20,000 looks would not reach to bake.at_most: each second one with 6h, all 4s with 1d.',
  }),
  rates: {
    baseline: key('bake.faults.baseline', decimal('a part of 1', { min: 0.000_01, max: 0.5 }), {
      default: usualRates.baseline,
      description:
        "How many of a good runner's jobs fail by the runner's fault, as a part of 1. More than the old shard had, it is raised to that.",
    }),
    alpha: key('bake.faults.alpha', decimal('a part of 1', { min: 0.000_000_1, max: 0.05 }), {
      default: usualRates.alpha,
      description:
        'How unlikely so many faults have to be for a good runner, at one look. Smaller: fewer good deployments are taken back, and bad ones later.',
    }),
  },
  signals,
  onUnhealthy: key('bake.on_unhealthy', choice(['off', 'report', 'hold', 'rollback']), {
    description:
      "What becomes of a promoted shard that is found bad. rollback: the old one takes over again, once; hold: everything stands until somebody decides; report: it is said. Without bake.for, report is said of customers' jobs while the old shard drains.",
    otherwise: 'rollback where bake.for is given, otherwise off',
  }),
  onInconclusive: key('bake.on_inconclusive', choice(['proceed', 'hold']), {
    default: 'proceed',
    description:
      'What becomes of one of which nothing can be said at the end: too few jobs, or a signal without an answer.',
  }),
};
