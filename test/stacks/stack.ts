import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Shard } from '../../src/domain/shard.ts';
import { pink, purple } from '../fakes/builders.ts';
import { putPromoted, putToken } from '../support/promoted-stack.ts';

const prefixOf = (name: string) => `/gitlab/dedicated/runner/${name}/`;

/**
 * Builds a promoted stack: purple is active, and pink still accepts jobs before its retirement.
 */
export async function buildPromoted(sandbox: Sandbox, name: string): Promise<{ pink: number }> {
  const registrations = {
    pink: await buildShard(sandbox, name, pink),
    purple: await buildShard(sandbox, name, purple),
  };
  putPromoted(sandbox, {
    prefix: prefixOf(name),
    candidate: purple,
    retiring: pink,
    registrations,
    now: sandbox.clock.now(),
  });
  return registrations;
}

async function buildShard(sandbox: Sandbox, runnerName: string, shard: Shard): Promise<number> {
  const { id, token } = (await call(sandbox, 'POST', '/user/runners', {
    runner_type: 'group_type',
    group_id: 10,
    description: `${shard}-${runnerName}`,
    // The additional tag reserves one job for the retiring shard, to give every drain one to wait
    // for.
    tag_list: shard === pink ? [runnerName, `${runnerName}-first`] : [runnerName],
    run_untagged: false,
  })) as { id: number; token: string };
  putToken(sandbox, `${prefixOf(runnerName)}${shard}/runner_token`, token);
  if (shard === purple) {
    // The runner's process requests jobs like an idle one and gets none. Its request count proves
    // that it accepts jobs.
    sandbox.settings.change({ runnerName, shard }, { boot: 'contacts_but_never_takes_jobs' });
  }
  await sandbox.stacks.apply({ runnerName, shard });
  if (shard === purple) await runJob(sandbox, runnerName, token);
  return id;
}

/** Runs a job on the active shard's manager, which proves that the shard accepts jobs. */
async function runJob(sandbox: Sandbox, runnerName: string, token: string): Promise<void> {
  const machine = sandbox.fleet
    .list()
    .find((one) => one.runnerName === runnerName && one.shard === purple);
  if (machine === undefined) throw new Error(`${runnerName} has no machine`);
  const request = { token, system_id: machine.systemId };
  let job: { readonly id: number; readonly token: string } | undefined;
  // The other shard's runner has the same tag and may request the job first.
  while (job === undefined) {
    sandbox.gitlab.submitJob({ project: 201, tags: [runnerName], script: ['true'] });
    job = (await call(sandbox, 'POST', '/jobs/request', request)) as typeof job;
  }
  await call(sandbox, 'PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' });
}

async function call(
  { url, gitlab }: Sandbox,
  method: string,
  path: string,
  body: object,
): Promise<unknown> {
  const answer = await fetch(`${url}/api/v4${path}`, {
    method,
    headers: {
      'private-token': gitlab.deployerToken(),
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}
