import type { AccessWish } from '../../../sandbox/aws/access/authorization.ts';
import { createPipeline, type PlayedPipeline } from '../by-hand/world/pipeline.ts';
import type { Patient } from './patient.ts';
import type { Row } from './row.ts';

/** Status, record and hold, each changed by hand while nobody deploys. */
export const stateRows: readonly Row[] = [
  { name: 'nothing is wrong', spoil: () => {} },
  {
    name: 'status swapped by hand at rest',
    spoil: (patient) => patient.put('deployment_status', statusOf(patient, patient.inactive())),
  },
  { name: 'status lost', spoil: (patient) => patient.remove('deployment_status') },
  { name: 'record lost at rest', spoil: (patient) => patient.remove('deployment_record') },
  {
    name: 'a record of a newer schema version',
    spoil: (patient) =>
      patient.put('deployment_record', JSON.stringify({ ...patient.record(), schema: 4 })),
    also: servesStill,
  },
  {
    name: 'a record that somebody cut',
    spoil: (patient) => patient.put('deployment_record', '{"schema":1,"deployment":{'),
    also: servesStill,
  },
  {
    name: 'the deployment is held',
    async spoil(patient) {
      await patient.run('prepare', 'hold --reason incident');
      const end = await patient.stage('provision');
      if (end.code !== 'Held') throw new Error(`a hold held nothing: ${end.text}`);
    },
  },
];

function statusOf(patient: Patient, active: string): string {
  const inactive = active === patient.active() ? patient.inactive() : patient.active();
  return JSON.stringify({ active_shard: active, inactive_shard: inactive });
}

/** A newer version's record is nobody's to touch, and the shard that serves goes on. */
async function servesStill(patient: Patient): Promise<void> {
  const before = patient.parameter('deployment_record');
  const end = await patient.stage('prepare');
  if (end.exitCode !== 3 || patient.parameter('deployment_record') !== before)
    throw new Error(`prepare went on: ${end.text}`);
}

/** Locks, silent sources, and the CI's own jobs. */
export const sourceRows: readonly Row[] = [
  {
    name: 'the lock of a dead job',
    async spoil(patient) {
      const pipeline = await lockBy(patient, 'provision');
      for (const stage of ['prepare', 'onboard', 'provision']) pipeline.setStatus(stage, 'failed');
      await pipeline.cancel();
    },
  },
  {
    name: 'the lock of a living job',
    async spoil(patient) {
      await patient.run('prepare', 'provision --until healthy');
      const pipeline = await lockBy(patient, 'provision');
      pipeline.setStatus('provision', 'running');
      pipelines.set(patient, pipeline);
    },
    async byHand(patient) {
      pipelines.get(patient)?.setStatus('provision', 'failed');
      await pipelines.get(patient)?.cancel();
    },
  },
  {
    name: 'GitLab is down',
    spoil: (patient) => silence(patient, 'gitlab'),
    byHand: (patient) => patient.sandbox.faults.clear(),
  },
  {
    name: 'AWS is down',
    spoil: (patient) => silence(patient, 'ssm'),
    byHand: (patient) => patient.sandbox.faults.clear(),
  },
  {
    name: 'a permission is missing for one call',
    options: { admit },
    async spoil(patient) {
      await patient.run('prepare');
      denied.add('ec2:DescribeInstances');
    },
    byHand: () => denied.clear(),
  },
  {
    name: "the CI's job runs on the shard that it would destroy",
    async spoil(patient) {
      const pipeline = await createPipeline(patient.world);
      for (const stage of ['prepare', 'onboard', 'provision']) await pipeline.run(stage);
      const own = String(patient.runnerOf('pink').id);
      const end = await pipeline.run('shutdown', { env: { CI_RUNNER_ID: own } });
      if (end.code !== 'RunsOnTheShardItTouches') throw new Error(`it went on: ${end.text}`);
      pipelines.set(patient, pipeline);
    },
    env: (patient) => ({
      GITLAB_CI: 'true',
      CI_SERVER_URL: patient.sandbox.url,
      CI_PROJECT_ID: '101',
      CI_PIPELINE_ID: String(pipelines.get(patient)?.id),
      CI_PIPELINE_IID: '9',
      CI_PIPELINE_CREATED_AT: new Date().toISOString(),
      CI_JOB_ID: String(pipelines.get(patient)?.jobId('cleanup')),
      CI_JOB_NAME: 'hosted_runner_cleanup',
      CI_RUNNER_ID: String(patient.runnerOf('pink').id),
    }),
    byHand: () => {},
  },
];

const pipelines = new WeakMap<Patient, PlayedPipeline>();
const denied = new Set<string>();

function admit({ action }: AccessWish): boolean {
  return !denied.has(action);
}

async function silence(patient: Patient, service: 'gitlab' | 'ssm'): Promise<void> {
  await patient.run('prepare');
  const effect = { kind: 'status', status: 503 } as const;
  patient.sandbox.faults.add({ id: 'down', service, effect });
}

/** As a job leaves it that is killed, or holds it while it runs. */
async function lockBy(patient: Patient, stage: string): Promise<PlayedPipeline> {
  const pipeline = await createPipeline(patient.world);
  const lock = {
    deployment: pipeline.deploymentId,
    job: String(pipeline.jobId(stage)),
    since: new Date().toISOString(),
    process: 'another-host:1:1',
    nonce: 'another',
  };
  await patient.put('deployment_lock', JSON.stringify(lock));
  return pipeline;
}
