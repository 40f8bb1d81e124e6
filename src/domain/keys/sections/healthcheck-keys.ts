import { key } from '../key.ts';
import { choice, duration, durationOrNone, list, text, whole } from '../values.ts';

const requirement = choice(['required', 'optional', 'off']);

const evidence = {
  'healthcheck.evidence.instance': key(requirement, {
    description: 'Its host runs and the SSM agent answers.',
    otherwise: 'required; optional with host.access none',
  }),
  'healthcheck.evidence.manager': key(requirement, {
    default: 'required',
    description: 'A new runner manager has contacted GitLab.',
  }),
  'healthcheck.evidence.host': key(requirement, {
    description: 'The runner on the host says that it is ready.',
    otherwise: 'required; optional with host.access none',
  }),
  'healthcheck.evidence.workload': key(requirement, {
    default: 'off',
    description: 'A volume and a container can be made on the host.',
  }),
  'healthcheck.evidence.capacity': key(requirement, {
    description: 'The autoscaler has its idle workers.',
    otherwise: 'required where healthcheck.idle_workers is given, otherwise off',
  }),
  'healthcheck.evidence.reachability': key(requirement, {
    description: 'The host reaches what jobs must reach.',
    otherwise: 'required where healthcheck.reach is given, otherwise off',
  }),
  'healthcheck.evidence.canary': key(requirement, {
    description: 'A real job has succeeded on the candidate.',
    otherwise: 'required; off with canary.kind off',
  }),
  'healthcheck.evidence.observe': key(requirement, {
    default: 'off',
    description:
      "For stacks without a canary: customers' jobs have finished on the candidate after it got its production tags and before it becomes active.",
  }),
};

const within = (what: string) =>
  key(durationOrNone({ min: '1s', max: '1d' }), {
    default: 'none',
    description: `Within this ${what}, counted from when it is first asked for. none: healthcheck.timeout holds for all together.`,
  });

const timeouts = {
  'healthcheck.timeouts.instance': within('its host has to answer'),
  'healthcheck.timeouts.manager': within('a manager has to contact GitLab'),
  'healthcheck.timeouts.host': within('the runner has to be ready'),
  'healthcheck.timeouts.workload': within('a container has to work'),
  'healthcheck.timeouts.capacity': within('the autoscaler has to have its idle workers'),
  'healthcheck.timeouts.reachability': within('everything has to be reached'),
  'healthcheck.timeouts.canary': within('the canary has to succeed'),
  'healthcheck.timeouts.observe': within("customers' jobs have to finish"),
};

const target = text(
  'an address such as https://registry.example.com/v2/ or db.example.com:5432',
  /^(?:https?:\/\/(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252})(?::\d{1,5})?(?:\/[A-Za-z0-9_.~%/-]{0,200})?|[A-Za-z0-9][A-Za-z0-9.-]{0,252}:\d{1,5})$/,
);

export const healthcheckKeys = {
  'healthcheck.timeout': key(duration({ min: '1s', max: '1d' }), {
    default: '15m',
    description: 'Within this the candidate has to prove itself.',
    pipeline: true,
  }),
  ...evidence,
  ...timeouts,
  'healthcheck.successes': key(whole('a number', { min: 1, max: 20 }), {
    default: 1,
    description: 'So many looks in a row have to find everything required, each of them anew.',
  }),
  'healthcheck.idle_workers': key(whole('a number', { min: 0, max: 10_000 }), {
    default: 0,
    description:
      'Idle task slots (docker-autoscaler, instance) or idle machines (docker+machine) that an autoscaled shard has to have, summed over its managers. 0: no autoscaler.',
  }),
  'healthcheck.reach': key(
    list('a list of addresses', target, { most: 20, refusal: 'expected at most 20 addresses' }),
    {
      default: [],
      description:
        "What jobs must reach, asked from the candidate's own address. https://…: an answer that does not refuse; host:port: a connection.",
    },
  ),
  'healthcheck.observe_jobs': key(whole('a number', { min: 1, max: 100 }), {
    default: 3,
    description: "How many customers' jobs have to finish. With evidence.observe.",
  }),
  'healthcheck.workload_image': key(
    text(
      'none, or an image such as registry.example.com/alpine:3.22',
      /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}$/,
    ),
    {
      default: 'none',
      description:
        'Image that the workload probe pulls and runs, which proves that the registry can be reached. none: one that the host has already.',
    },
  ),
  'healthcheck.evidence_max_age': key(duration({ min: '1s', max: '1d' }), {
    default: '30m',
    description:
      'Evidence older than this is collected again before promotion, and proves no shard to serve. Below the 50s of a long poll an idle runner proves nothing by what it asks.',
    pipeline: true,
  }),
  'healthcheck.poll': key(duration({ min: '100ms', max: '5m' }), {
    default: '5s',
    description:
      'How often evidence is looked for once the host is there; less often before, more often while the canary runs.',
  }),
};
