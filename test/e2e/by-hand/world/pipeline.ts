import type { End, Running } from './running.ts';
import type { Order, World } from './world.ts';

/** A deployment's pipeline in the sandbox's GitLab, its stage jobs played as the CI would. */
export interface PlayedPipeline {
  readonly id: number;
  readonly deploymentId: string;
  /** Runs a stage as its job; the job's status follows. Once more is a retry, under a new job id. */
  run(stage: string, order?: Partial<Order>): Promise<End>;
  /** The same, left to run. */
  start(stage: string, order?: Partial<Order>): Promise<Running>;
  jobId(stage: string): number;
  setStatus(stage: string, status: 'running' | 'success' | 'failed' | 'canceled'): void;
  /** As the button of the pipeline does. */
  cancel(): Promise<void>;
}

const stages = ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup', 'finalize'];

export async function createPipeline(world: World, runner = 'linux'): Promise<PlayedPipeline> {
  const { gitlab } = world.sandbox;
  const created = gitlab.createPipeline({ project: 101, runnerNames: [runner] });
  const found = await ask<{ created_at: string; web_url: string }>(
    world,
    'GET',
    `pipelines/${created.id}`,
  );
  const jobs = new Map(created.jobs.map(({ name, id }) => [name, id]));
  const ran = new Set<string>();
  const nameOf = (stage: string) => `hosted_runner_${stage}`;
  const jobId = (stage: string) => jobs.get(nameOf(stage)) ?? 0;
  const setStatus: PlayedPipeline['setStatus'] = (stage, status) =>
    gitlab.setJobStatus(jobId(stage), status);

  /** The call of the stage's job, which runs from now on. */
  async function begin(stage: string, order: Partial<Order> = {}): Promise<Order> {
    if (ran.has(stage)) {
      const again = await ask<{ id: number }>(world, 'POST', `jobs/${jobId(stage)}/retry`);
      jobs.set(nameOf(stage), again.id);
    }
    ran.add(stage);
    setStatus(stage, 'running');
    return {
      args: [stage, '--runner', runner, ...(order.args ?? [])],
      set: ['canary.kind=job', ...(order.set ?? [])],
      env: {
        CI: 'true',
        GITLAB_CI: 'true',
        CI_SERVER_URL: world.sandbox.url,
        CI_PROJECT_ID: '101',
        CI_PIPELINE_ID: String(created.id),
        CI_PIPELINE_IID: String(created.iid),
        CI_PIPELINE_CREATED_AT: found.created_at,
        CI_PIPELINE_URL: found.web_url,
        CI_JOB_ID: String(jobId(stage)),
        CI_JOB_NAME: nameOf(stage),
        GITLAB_USER_LOGIN: 'deployer',
        ...order.env,
      },
    };
  }

  return {
    id: created.id,
    deploymentId: `101-${created.id}`,
    jobId,
    setStatus,
    start: async (stage, order) => world.start(await begin(stage, order)),
    async run(stage, order) {
      const end = await world.run(await begin(stage, order));
      setStatus(stage, end.exitCode === 0 ? 'success' : 'failed');
      return end;
    },
    async cancel() {
      await ask(world, 'POST', `pipelines/${created.id}/cancel`);
      // What the runner of the stage jobs would answer.
      for (const stage of stages) {
        const job = gitlab.jobs().find(({ id }) => id === jobId(stage));
        if (job?.status === 'canceling') gitlab.setJobStatus(job.id, 'canceled');
      }
    },
  };
}

async function ask<T>({ sandbox }: World, method: string, path: string): Promise<T> {
  const response = await fetch(`${sandbox.url}/api/v4/projects/101/${path}`, {
    method,
    headers: { 'private-token': sandbox.gitlab.deployerToken() },
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()) as T;
}
