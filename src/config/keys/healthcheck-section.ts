import { z } from 'zod';
import { key } from './key.ts';
import { choice, duration, durationOrNone, list, whole, words } from './values.ts';

const requirement = choice(['required', 'optional', 'off']);

const evidence = z.strictObject({
  instance: key(requirement.optional(), {
    description: 'Its host runs and the SSM agent answers.',
    otherwise: 'required; optional with host.access none',
  }),
  manager: key(requirement.prefault('required'), {
    description: 'A new runner manager has contacted GitLab.',
  }),
  host: key(requirement.optional(), {
    description: 'The runner on the host says that it is ready.',
    otherwise: 'required; optional with host.access none',
  }),
  workload: key(requirement.prefault('off'), {
    description: 'A volume and a container can be made on the host.',
  }),
  capacity: key(requirement.optional(), {
    description: 'The autoscaler has its idle workers.',
    otherwise: 'required where healthcheck.idle_workers is given, otherwise off',
  }),
  reachability: key(requirement.optional(), {
    description: 'The host reaches what jobs must reach.',
    otherwise: 'required where healthcheck.reach is given, otherwise off',
  }),
  canary: key(requirement.optional(), {
    description: 'A real job has succeeded on the candidate.',
    otherwise: 'required; off with canary.kind off',
  }),
  observe: key(requirement.prefault('off'), {
    description:
      "For stacks without a canary: customers' jobs have finished on the candidate after it got its production tags and before it becomes active.",
  }),
});

const within = (what: string) =>
  key(durationOrNone({ min: '1s', max: '1d' }).prefault('none'), {
    description: `Within this ${what}, counted from when it is first asked for. none: healthcheck.timeout holds for all together.`,
    unit: 'duration',
  });

const timeouts = z.strictObject({
  instance: within('its host has to answer'),
  manager: within('a manager has to contact GitLab'),
  host: within('the runner has to be ready'),
  workload: within('a container has to work'),
  capacity: within('the autoscaler has to have its idle workers'),
  reachability: within('everything has to be reached'),
  canary: within('the canary has to succeed'),
  observe: within("customers' jobs have to finish"),
});

const target = words(
  'an address such as https://registry.example.com/v2/ or db.example.com:5432',
  /^(?:https?:\/\/(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252})(?::\d{1,5})?(?:\/[A-Za-z0-9_.~%/-]{0,200})?|[A-Za-z0-9][A-Za-z0-9.-]{0,252}:\d{1,5})$/,
);

export const healthcheck = z.strictObject({
  timeout: key(duration({ min: '1s', max: '1d' }).prefault('15m'), {
    description: 'Within this the candidate has to prove itself.',
    unit: 'duration',
    pipeline: true,
  }),
  evidence,
  timeouts,
  successes: key(whole('a number', { min: 1, max: 20 }).prefault(1), {
    description: 'So many looks in a row have to find everything required, each of them anew.',
  }),
  idle_workers: key(whole('a number', { min: 0, max: 10_000 }).prefault(0), {
    description:
      'Idle task slots (docker-autoscaler, instance) or idle machines (docker+machine) that an autoscaled shard has to have, summed over its managers. 0: no autoscaler.',
  }),
  reach: key(
    list('a list of addresses', target)
      .max(20, { error: 'expected at most 20 addresses' })
      .prefault([]),
    {
      description:
        "What jobs must reach, asked from the candidate's own address. https://…: an answer that does not refuse; host:port: a connection.",
      unit: 'words',
    },
  ),
  observe_jobs: key(whole('a number', { min: 1, max: 100 }).prefault(3), {
    description: "How many customers' jobs have to finish. With evidence.observe.",
  }),
  workload_image: key(
    words(
      'none, or an image such as registry.example.com/alpine:3.22',
      /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}$/,
    ).prefault('none'),
    {
      description:
        'Image that the workload probe pulls and runs, which proves that the registry can be reached. none: one that the host has already.',
    },
  ),
  evidence_max_age: key(duration({ min: '1s', max: '1d' }).prefault('30m'), {
    description: 'Evidence older than this is collected again before promotion.',
    unit: 'duration',
    pipeline: true,
  }),
  poll: key(duration({ min: '100ms', max: '5m' }).prefault('5s'), {
    description:
      'How often evidence is looked for once the host is there; less often before, more often while the canary runs.',
    unit: 'duration',
  }),
});
