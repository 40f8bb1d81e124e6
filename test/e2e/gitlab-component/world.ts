import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from '../../../sandbox/options.ts';
import { type StageName, stageNames } from '../../../src/domain/deployment/stages-and-steps.ts';
import { everything } from '../by-hand/world/at-rest.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts';
import { createProject, shortened } from './project.ts';

export const jobNames = Object.fromEntries(
  [...stageNames, 'canary'].map((name) => [name, `hosted_runner_${name}`]),
) as Readonly<Record<StageName | 'canary', string>>;

/** Jobs of a pipeline without approval and bake. */
export const usualJobs = stageNames
  .filter((stage) => stage !== 'promote' && stage !== 'bake')
  .map((stage) => jobNames[stage]);

/** Exit code of a stage out of order. */
export const refused = 2;

/** Example as a user's project, with the world that it deploys in. */
export interface ComponentWorld {
  readonly world: World;
  createPipeline(options?: PipelineOptions): Promise<Pipeline>;
  /** Runs a first deployment, which makes pink active. */
  deployFirst(runnerName?: string): Promise<void>;
  active(runnerName?: string): string | undefined;
  /** Decides whether a new customer job runs on this shard. */
  acceptsJobs(shard: string): Promise<boolean>;
  /** Submits a job that runs on the active shard until the test ends it. */
  submitCustomerJob(): Promise<number>;
  endCustomerJob(): void;
  /** File whose creation ends the customer job. */
  readonly endCustomerJobFile: string;
  stateOf(job: number): string | undefined;
  artifactsOf(job: string): readonly string[];
  withoutJobs(): unknown;
  /**
   * Returns the variables of a job that GitLab ends in a minute, which only suffices for a
   * cancellation.
   */
  almostOver(): Record<string, string>;
  close(): Promise<void>;
}

export async function openComponent(
  example: string,
  {
    runnerNames = ['linux'],
    inputs = {},
    bake,
    ...options
  }: {
    runnerNames?: readonly string[];
    /** Additional inputs to the example's. */
    inputs?: Readonly<Record<string, boolean>>;
    /** Bake settings of the configuration. */
    bake?: Readonly<Record<string, unknown>>;
  } & Pick<Partial<SandboxOptions>, 'gitlabVersion'> = {},
): Promise<ComponentWorld> {
  const world = await openWorld(options);
  const { gitlab } = world.sandbox;
  const configuration = shortened(
    world.environment['HOSTED_RUNNER_CONFIG'] ?? '',
    runnerNames,
    bake,
  );
  const project = createProject({ example, configuration, inputs });
  const marks = mkdtempSync(join(tmpdir(), 'customer-'));
  const endCustomerJobFile = join(marks, 'end');
  const submit = (script: string) =>
    gitlab.submitJob({ project: 201, tags: ['linux'], script: [script] }).id;
  const jobOf = (id: number) => gitlab.jobs().find((job) => job.id === id);

  return {
    world,
    endCustomerJobFile,
    createPipeline: (options) => createPipeline(world, project, options),
    async deployFirst(runnerName = 'linux') {
      const args = [
        'deploy',
        '--runner',
        runnerName,
        '--config',
        join(project.folder, 'hosted-runners.yml'),
      ];
      const { exitCode, text } = await world.run({ args, set: canaryProject });
      if (exitCode !== 0) throw new Error(text);
    },
    active: (runnerName = 'linux') => {
      const name = `/gitlab/dedicated/runner/${runnerName}/deployment_status`;
      return JSON.parse(world.sandbox.parameters.read(name).value()).active_shard;
    },
    async acceptsJobs(shard) {
      const id = submit('true');
      await until(() => jobOf(id)?.status === 'success');
      const runner = gitlab.runners().find((one) => one.id === jobOf(id)?.runnerId);
      return runner?.description === `${shard}-linux`;
    },
    async submitCustomerJob() {
      const id = submit(`while [ ! -e ${endCustomerJobFile} ]; do sleep 0.1; done`);
      await until(() => jobOf(id)?.status === 'running');
      return id;
    },
    endCustomerJob: () => writeFileSync(endCustomerJobFile, ''),
    stateOf: (id) => jobOf(id)?.status,
    artifactsOf: (job) => {
      const folder = join(
        project.folder,
        '.gitlab-ci-local/artifacts',
        job,
        'hosted-runner-report',
      );
      return existsSync(folder) ? readdirSync(folder).sort() : [];
    },
    withoutJobs: () => ({ ...(everything(world) as object), jobs: undefined }),
    almostOver: () => ({ CI_JOB_STARTED_AT: new Date().toISOString(), CI_JOB_TIMEOUT: '60' }),
    async close() {
      writeFileSync(endCustomerJobFile, '');
      await world.close();
      project.remove();
      rmSync(marks, { recursive: true, force: true });
    },
  };
}

/** A terminal cannot create canary jobs, so the sandbox's canary project replaces them. */
const canaryProject = [
  'canary.kind=project',
  'canary.project=acme/canary',
  'canary.ref=main',
  'canary.input=tag',
];

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}
