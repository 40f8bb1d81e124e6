import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Patient } from './patient.ts';
import type { Row } from './row.ts';

/** Retirements that stopped on their way, and time itself. */
export const lateRows: readonly Row[] = [
  {
    name: 'the old shard half destroyed',
    async spoil(patient) {
      const old = patient.active();
      await patient.run('prepare', 'provision', 'shutdown');
      const end = await patient.stage('cleanup', {
        set: ['infrastructure.destroy=["false","{runner_name}","{shard}"]'],
      });
      if (end.exitCode !== 1) throw new Error(`it was destroyed: ${end.text}`);
      const stop = new AbortController();
      const left = () => patient.sandbox.stacks.list()[`linux/${old}`]?.length ?? 0;
      const whole = left();
      const destroying = patient.sandbox.stacks.destroy(
        { runnerName: 'linux', shard: old },
        stop.signal,
      );
      await patient.until(() => left() <= whole / 2);
      stop.abort();
      await destroying;
    },
  },
  {
    name: 'a drain that never ends',
    async spoil(patient) {
      const { file, id } = submitHanging(patient);
      await patient.until(() => statusOf(patient, id) === 'running');
      await patient.run('prepare', 'provision');
      const shutdown = patient.world.start({ args: ['shutdown', '--runner', 'linux'] });
      await patient.until(() => patient.record().deployment.phase === 'draining');
      shutdown.kill('SIGTERM');
      await shutdown.ended;
      if (existsSync(file)) throw new Error('the job has ended too early');
    },
    byHand: (patient) => writeFileSync(releaseOf(patient), ''),
  },
  {
    name: 'a drain that lost its signal',
    async spoil(patient) {
      const old = patient.active();
      await patient.run('prepare', 'provision', 'shutdown');
      const { id } = patient.machineOf(old);
      const start = 'docker update --restart always gitlab-runner && docker start gitlab-runner';
      await patient.sandbox.fleet.execute(id, start, new AbortController().signal);
      await patient.until(() => patient.sandbox.fleet.machine(id)?.unit?.isRunning === true);
    },
  },
  {
    name: 'a drain that was cut off while idle',
    async spoil(patient) {
      await patient.run('prepare', 'provision');
      const shutdown = patient.world.start({ args: ['shutdown', '--runner', 'linux'] });
      await patient.until(() => patient.record().deployment.phase !== 'promoted');
      shutdown.kill('SIGKILL');
      await shutdown.ended;
    },
    customers: 'are_away',
  },
  {
    name: 'our own clock off by an hour',
    async spoil(patient) {
      await patient.run('prepare');
      patient.sandbox.clock.advance(3_600_000);
    },
    customers: 'are_away',
  },
  {
    name: "a second stack whose name begins with this one's",
    async spoil(patient) {
      for (const shard of ['pink', 'purple']) await addNeighbour(patient, shard);
      const before = neighbours(patient);
      await patient.run('deploy');
      // Whoever recovers looks for names and tags, and must not take theirs for ours.
      await patient.failCandidate('never_contacts', 2);
      await patient.run('recover --method cleanup --yes', 'finalize');
      if (neighbours(patient) !== before) throw new Error('another stack was touched');
    },
  },
];

/** `linux-arm`, with both shards alive and serving. */
async function addNeighbour(patient: Patient, shard: string): Promise<void> {
  const { token } = await patient.askGitLab<{ token: string }>('POST', 'user/runners', {
    runner_type: 'group_type',
    group_id: 10,
    description: `${shard}-linux-arm`,
    tag_list: 'linux-arm',
  });
  patient.sandbox.parameters.put({
    name: `/gitlab/dedicated/runner/linux-arm/${shard}/runner_token`,
    value: token,
    overwrite: true,
    type: 'SecureString',
  });
  await patient.sandbox.stacks.apply({ runnerName: 'linux-arm', shard });
  await patient.until(() => patient.runnerOf(shard, 'linux-arm').managers.length > 0);
}

function neighbours({ sandbox }: Patient): string {
  const { gitlab, fleet, stacks, parameters } = sandbox;
  return JSON.stringify([
    gitlab
      .runners()
      .filter(({ description }) => description.endsWith('linux-arm'))
      .map(({ id, paused, tags, managers }) => [id, paused, tags, managers.map((one) => one.id)]),
    fleet.list().filter(({ runnerName }) => runnerName === 'linux-arm'),
    Object.entries(stacks.list()).filter(([name]) => name.startsWith('linux-arm/')),
    parameters
      .list()
      .map((one) => [one.parameter.name, one.version])
      .filter(([name]) => String(name).includes('/linux-arm/')),
  ]);
}

function releaseOf({ world }: Patient): string {
  return join(world.folder, 'released');
}

/** A customer's job that runs until somebody ends it. */
function submitHanging(patient: Patient): { file: string; id: number } {
  const file = releaseOf(patient);
  const script = [`until [ -e '${file}' ]; do sleep 0.1; done`];
  const job = { project: 201, tags: ['linux'], script };
  return { file, id: patient.sandbox.gitlab.submitJob(job).id };
}

function statusOf(patient: Patient, id: number): string | undefined {
  return patient.sandbox.gitlab.jobs().find((job) => job.id === id)?.status;
}
