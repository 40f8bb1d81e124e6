import type { End } from './running.ts';
import type { Order, World } from './world.ts';

/** Pipeline of a deployment in the sandbox's GitLab. The test plays its stage jobs like the CI. */
export interface PlayedPipeline {
  /**
   * Runs a stage as its job and updates the job's status. A repetition is a retry with a new job
   * id.
   */
  run(stage: string, order?: Partial<Order>): Promise<End>;
}

export async function createPipeline(world: World): Promise<PlayedPipeline> {
  const { gitlab } = world.sandbox;
  const created = gitlab.createPipeline({ project: 101, runnerNames: ['linux'] });
  const found = await sendRequest<{ created_at: string; web_url: string }>(
    world,
    'GET',
    `pipelines/${created.id}`,
  );
  const jobs = new Map(created.jobs.map(({ name, id }) => [name, id]));
  const ran = new Set<string>();

  return {
    async run(stage, order = {}) {
      const name = `hosted_runner_${stage}`;
      if (ran.has(stage)) {
        const path = `jobs/${jobs.get(name)}/retry`;
        jobs.set(name, (await sendRequest<{ id: number }>(world, 'POST', path)).id);
      }
      ran.add(stage);
      const jobId = jobs.get(name) ?? 0;
      gitlab.setJobStatus(jobId, 'running');
      const end = await world.stage(stage, {
        args: order.args ?? [],
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
          CI_JOB_ID: String(jobId),
          CI_JOB_NAME: name,
          GITLAB_USER_LOGIN: 'deployer',
          ...order.env,
        },
      });
      gitlab.setJobStatus(jobId, end.exitCode === 0 ? 'success' : 'failed');
      return end;
    },
  };
}

async function sendRequest<T>({ sandbox }: World, method: string, path: string): Promise<T> {
  const response = await fetch(`${sandbox.url}/api/v4/projects/101/${path}`, {
    method,
    headers: { 'private-token': sandbox.gitlab.deployerToken() },
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()) as T;
}
