import { key } from '../key.ts';
import { choice, duration, durationOrNone, list, orNone, text, whole } from '../values.ts';

const requirement = choice(['required', 'optional', 'off']);

const evidence = {
  instance: key('healthcheck.evidence.instance', requirement, {
    description: 'Evidence: the host runs, and its SSM agent responds.',
    otherwise: 'required, or optional with host.access none',
  }),
  manager: key('healthcheck.evidence.manager', requirement, {
    default: 'required',
    description: 'Evidence: a new runner manager has contacted GitLab.',
  }),
  host: key('healthcheck.evidence.host', requirement, {
    description: 'Evidence: the runner on the host reports that it is ready.',
    otherwise: 'required, or optional with host.access none',
  }),
  workload: key('healthcheck.evidence.workload', requirement, {
    default: 'off',
    description: 'Evidence: the host can create a volume and a container.',
  }),
  capacity: key('healthcheck.evidence.capacity', requirement, {
    description: 'Evidence: the autoscaler has its idle workers.',
    otherwise: 'required if healthcheck.idle_workers is set, otherwise off',
  }),
  reachability: key('healthcheck.evidence.reachability', requirement, {
    description: 'Evidence: the host reaches the addresses that jobs need.',
    otherwise: 'required if healthcheck.reach is set, otherwise off',
  }),
  canary: key('healthcheck.evidence.canary', requirement, {
    description: 'Evidence: a real job succeeded on the candidate.',
    otherwise: 'required, or off with canary.kind off',
  }),
  observe: key('healthcheck.evidence.observe', requirement, {
    default: 'off',
    description:
      'Evidence without a canary: the candidate received its production tags and finished customer jobs before the switch.',
  }),
};

const within = <const Name extends string>(name: Name, what: string) =>
  key(name, durationOrNone({ min: '1s', max: '1d' }), {
    default: 'none',
    description: `Time limit for ${what}, from the first check of this evidence. With none, healthcheck.timeout applies.`,
  });

const timeoutsMs = {
  instance: within('healthcheck.timeouts.instance', 'the host to respond'),
  manager: within('healthcheck.timeouts.manager', 'a manager to contact GitLab'),
  host: within('healthcheck.timeouts.host', 'the runner to be ready'),
  workload: within('healthcheck.timeouts.workload', 'a container to work'),
  capacity: within('healthcheck.timeouts.capacity', 'the autoscaler to have its idle workers'),
  reachability: within('healthcheck.timeouts.reachability', 'the host to reach all addresses'),
  canary: within('healthcheck.timeouts.canary', 'the canary to succeed'),
  observe: within('healthcheck.timeouts.observe', 'customer jobs to finish'),
};

const target = text(
  'an address such as https://registry.example.com/v2/ or db.example.com:5432',
  /^(?:https?:\/\/(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252})(?::\d{1,5})?(?:\/[A-Za-z0-9_.~%/-]{0,200})?|[A-Za-z0-9][A-Za-z0-9.-]{0,252}:\d{1,5})$/,
);

export const healthcheckKeys = {
  timeoutMs: key('healthcheck.timeout', duration({ min: '1s', max: '1d' }), {
    default: '15m',
    description: 'Time limit for verifying the candidate.',
    pipeline: true,
  }),
  evidence,
  timeoutsMs,
  successes: key('healthcheck.successes', whole('a number', { min: 1, max: 20 }), {
    default: 1,
    description: 'Number of consecutive checks that must find all required evidence.',
  }),
  idleWorkers: key('healthcheck.idle_workers', whole('a number', { min: 0, max: 10_000 }), {
    default: 0,
    description:
      'Number of idle task slots (docker-autoscaler, instance) or idle machines (docker+machine) that the managers of a shard need in total. 0: no autoscaler.',
  }),
  reach: key(
    'healthcheck.reach',
    list('a list of addresses', target, { most: 20, refusal: 'expected at most 20 addresses' }),
    {
      default: [],
      description:
        "Addresses that jobs need, checked from the candidate's hosts. https://… must respond with a status below 500 except 403, 407 and 429; host:port must accept a connection.",
    },
  ),
  observeJobs: key('healthcheck.observe_jobs', whole('a number', { min: 1, max: 100 }), {
    default: 3,
    description: 'Number of customer jobs that must finish. Only with evidence.observe.',
  }),
  workloadImage: key(
    'healthcheck.workload_image',
    orNone(
      text(
        'none, or an image such as registry.example.com/alpine:3.22',
        /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}$/,
      ),
    ),
    {
      default: 'none',
      description:
        'Image that the workload probe pulls and runs, to prove that the host reaches the registry. With none, the probe uses an image on the host.',
    },
  ),
  evidenceMaxAgeMs: key('healthcheck.evidence_max_age', duration({ min: '1s', max: '1d' }), {
    default: '30m',
    description:
      'Maximum age of the evidence for a promotion or a verification. Below 50s (one long poll), the polls of an idle runner are too rare to count as evidence.',
    pipeline: true,
  }),
  pollMs: key('healthcheck.poll', duration({ min: '100ms', max: '5m' }), {
    default: '5s',
    description:
      'Interval between checks once the host exists. The interval is longer before that, and shorter while the canary runs.',
  }),
};
