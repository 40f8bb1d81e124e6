import type { Row } from './row.ts';

/** Something is wrong with the shard that serves, or with the one that must not be there. */
export const activeRows: readonly Row[] = [
  {
    name: 'both shards serve at rest',
    spoil: (patient) => patient.startByHand(patient.inactive(), { infrastructure: true }),
  },
  {
    name: 'manager started by hand on the inactive shard',
    spoil: (patient) => patient.startByHand(patient.inactive(), { infrastructure: false }),
  },
  {
    name: 'none serves: the active shard was paused by hand',
    spoil: (patient) =>
      patient.askGitLab('PUT', `runners/${patient.runnerOf(patient.active()).id}`, {
        paused: true,
      }),
    customers: 'wait',
  },
  {
    name: 'none serves: the instance of the active shard was terminated by hand',
    spoil: (patient) => patient.terminate(patient.active()),
    customers: 'are_away',
  },
  {
    name: 'none serves: right after the promotion the new shard dies',
    async spoil(patient) {
      await patient.run('prepare', 'provision');
      await patient.terminate(patient.active());
    },
    customers: 'are_away',
  },
  {
    name: 'runner record of the active shard deleted by a customer',
    spoil: (patient) =>
      patient.askGitLab('DELETE', `runners/${patient.runnerOf(patient.active()).id}`),
    customers: 'are_away',
  },
  {
    name: 'token of the active shard lost',
    spoil: (patient) => patient.remove(`${patient.active()}/runner_token`),
  },
  {
    name: 'two instances of one name on the active shard',
    async spoil(patient) {
      const shard = patient.active();
      patient.sandbox.fleet.create({ runnerName: 'linux', shard });
      await patient.until(() => patient.runnerOf(shard).managers.length === 2);
    },
  },
];
