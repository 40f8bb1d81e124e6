import { key } from '../key.ts';
import { choice, duration, durationOrNone, list, orNone, text, whole } from '../values.ts';

const requirement = choice(['required', 'optional', 'off']);

const evidence = {
  instance: key('healthcheck.evidence.instance', requirement, {
    description: 'Its host runs and the SSM agent answers.',
    otherwise: 'required; optional with host.access none',
  }),
  manager: key('healthcheck.evidence.manager', requirement, {
    default: 'required',
    description: 'A new runner manager has contacted GitLab.',
  }),
  host: key('healthcheck.evidence.host', requirement, {
    description: 'The runner on the host says that it is ready.',
    otherwise: 'required; optional with host.access none',
  }),
  workload: key('healthcheck.evidence.workload', requirement, {
    default: 'off',
    description: 'A volume and a container can be made on the host.',
  }),
  capacity: key('healthcheck.evidence.capacity', requirement, {
    description: 'The autoscaler has its idle workers.',
    otherwise: 'required where healthcheck.idle_workers is given, otherwise off',
  }),
  reachability: key('healthcheck.evidence.reachability', requirement, {
    description: 'The host reaches what jobs must reach.',
    otherwise: 'required where healthcheck.reach is given, otherwise off',
  }),
  canary: key('healthcheck.evidence.canary', requirement, {
    description: 'A real job has succeeded on the candidate.',
    otherwise: 'required; off with canary.kind off',
  }),
  observe: key('healthcheck.evidence.observe', requirement, {
    default: 'off',
    description:
      "For stacks without a canary: customers' jobs have finished on the candidate after it got its production tags and before it becomes active.",
  }),
};

const within = <const Name extends string>(name: Name, what: string) =>
  key(name, durationOrNone({ min: '1s', max: '1d' }), {
    default: 'none',
    description: `Within this ${what}, counted from when it is first asked for. none: healthcheck.timeout holds for all together.`,
  });

const timeoutsMs = {
  instance: within('healthcheck.timeouts.instance', 'its host has to answer'),
  manager: within('healthcheck.timeouts.manager', 'a manager has to contact GitLab'),
  host: within('healthcheck.timeouts.host', 'the runner has to be ready'),
  workload: within('healthcheck.timeouts.workload', 'a container has to work'),
  capacity: within('healthcheck.timeouts.capacity', 'the autoscaler has to have its idle workers'),
  reachability: within('healthcheck.timeouts.reachability', 'everything has to be reached'),
  canary: within('healthcheck.timeouts.canary', 'the canary has to succeed'),
  observe: within('healthcheck.timeouts.observe', "customers' jobs have to finish"),
};

const target = text(
  'an address such as https://registry.example.com/v2/ or db.example.com:5432',
  /^(?:https?:\/\/(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252})(?::\d{1,5})?(?:\/[A-Za-z0-9_.~%/-]{0,200})?|[A-Za-z0-9][A-Za-z0-9.-]{0,252}:\d{1,5})$/,
);

export const healthcheckKeys = {
  timeoutMs: key('healthcheck.timeout', duration({ min: '1s', max: '1d' }), {
    default: '15m',
    description: 'Within this the candidate has to prove itself.',
    pipeline: true,
  }),
  evidence,
  timeoutsMs,
  successes: key('healthcheck.successes', whole('a number', { min: 1, max: 20 }), {
    default: 1,
    description: 'So many looks in a row have to find everything required, each of them anew.',
  }),
  idleWorkers: key('healthcheck.idle_workers', whole('a number', { min: 0, max: 10_000 }), {
    default: 0,
    description:
      'Idle task slots (docker-autoscaler, instance) or idle machines (docker+machine) that an autoscaled shard has to have, summed over its managers. 0: no autoscaler.',
  }),
  reach: key(
    'healthcheck.reach',
    list('a list of addresses', target, { most: 20, refusal: 'expected at most 20 addresses' }),
    {
      default: [],
      description:
        "What jobs must reach, asked from the candidate's own address. https://…: an answer that does not refuse; host:port: a connection.",
    },
  ),
  observeJobs: key('healthcheck.observe_jobs', whole('a number', { min: 1, max: 100 }), {
    default: 3,
    description: "How many customers' jobs have to finish. With evidence.observe.",
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
        'Image that the workload probe pulls and runs, which proves that the registry can be reached. none: one that the host has already.',
    },
  ),
  evidenceMaxAgeMs: key('healthcheck.evidence_max_age', duration({ min: '1s', max: '1d' }), {
    default: '30m',
    description:
      'Evidence older than this is collected again before promotion, and proves no shard to serve. Below the 50s of a long poll an idle runner proves nothing by what it asks.',
    pipeline: true,
  }),
  pollMs: key('healthcheck.poll', duration({ min: '100ms', max: '5m' }), {
    default: '5s',
    description:
      'How often evidence is looked for once the host is there; less often before, more often while the canary runs.',
  }),
};
