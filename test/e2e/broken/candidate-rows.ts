import type { Row } from './row.ts';

const healthy = ['prepare', 'provision --until healthy'] as const;

/** A candidate that is not what it should be; the shard that serves has nothing to do with it. */
export const candidateRows: readonly Row[] = [
  {
    name: 'candidate unhealthy once',
    spoil: (patient) => patient.failCandidate('contacts_but_fails_jobs', 1),
    // Running it again comes first, on the same machine, and has to fail before the next rung.
    set: ['healthcheck.timeout=60s'],
  },
  {
    name: 'candidate unhealthy twice',
    spoil: (patient) => patient.failCandidate('contacts_but_fails_jobs', 2),
  },
  {
    name: 'candidate unhealthy three times',
    spoil: (patient) => patient.failCandidate('contacts_but_fails_jobs', 3),
  },
  {
    name: 'apply with no changes, and the candidate never contacts GitLab',
    spoil: (patient) => patient.failCandidate('never_contacts', 2),
  },
  {
    name: 'instance of the candidate terminated by hand',
    async spoil(patient) {
      await patient.run(...healthy);
      await patient.terminate(patient.inactive());
    },
  },
  {
    name: 'instance of the candidate hung, its agent gone',
    async spoil(patient) {
      await patient.failCandidate('never_contacts', 1);
      patient.sandbox.fleet.hang(patient.machineOf(patient.inactive()).id);
    },
  },
  {
    name: 'runner record of the candidate deleted by a customer',
    async spoil(patient) {
      await patient.run(...healthy);
      await patient.askGitLab('DELETE', `runners/${patient.runnerOf(patient.inactive()).id}`);
    },
  },
  {
    name: 'token of the candidate revoked',
    async spoil(patient) {
      const shard = patient.inactive();
      await patient.run('prepare', 'onboard');
      const { id } = patient.runnerOf(shard);
      await patient.askGitLab('POST', `runners/${id}/reset_authentication_token`);
      await patient.findUnhealthy(shard, 1);
    },
  },
  {
    name: 'token of the candidate lost before its first manager',
    async spoil(patient) {
      await patient.run('prepare', 'onboard');
      patient.remove(`${patient.inactive()}/runner_token`);
    },
  },
  {
    name: 'two instances of one name on the candidate',
    async spoil(patient) {
      const shard = patient.inactive();
      await patient.run(...healthy);
      patient.sandbox.fleet.create({ runnerName: 'linux', shard });
      await patient.until(() => patient.runnerOf(shard).managers.length === 2);
    },
  },
  {
    name: 'the candidate un-paused and tagged by hand in the console',
    async spoil(patient) {
      await patient.run(...healthy);
      const { id } = patient.runnerOf(patient.inactive());
      await patient.askGitLab('PUT', `runners/${id}`, { tag_list: 'linux', paused: false });
    },
  },
];
