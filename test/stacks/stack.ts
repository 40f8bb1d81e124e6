import type { RegistrationId, Shard } from '../../src/domain/shard.ts';
import { formatStatus } from '../../src/domain/status.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { formatRecord } from '../../src/state/record-format.ts';
import { pink, purple } from '../fakes/builders.ts';

export const deploymentId = '101-5001';

/** A stack that is promoted: purple is active, pink serves still and is to retire. */
export async function buildPromoted(sandbox: Sandbox, name: string): Promise<{ pink: number }> {
  const registrations = {
    pink: await serve(sandbox, name, pink),
    purple: await serve(sandbox, name, purple),
  };
  const at = new Date(sandbox.clock.now()).toISOString();
  const entry = (registration: number) => ({
    registration: String(registration) as RegistrationId,
    tokenWritten: true,
    unhealthyInARow: 0,
    productionTag: true,
  });
  const record = formatRecord(
    {
      deployment: {
        id: deploymentId as never,
        kind: 'deploy',
        pipelineCreatedAt: at,
        by: 'deployer',
        candidate: purple,
        retiring: pink,
        phase: 'promoted',
        phaseAt: at,
        startedAt: at,
      },
      shards: { pink: entry(registrations.pink), purple: entry(registrations.purple) },
      history: [],
    },
    'before',
  );
  put(sandbox, `${name}/deployment_status`, formatStatus([pink, purple], purple));
  put(sandbox, `${name}/deployment_record`, record);
  return registrations;
}

async function serve(sandbox: Sandbox, runnerName: string, shard: Shard): Promise<number> {
  const { id, token } = (await post(sandbox, '/user/runners', {
    runner_type: 'group_type',
    group_id: 10,
    description: `${shard}-${runnerName}`,
    // Their jobs are the retiring shard's own, so that every drain has one to wait for.
    tag_list: shard === pink ? [runnerName, `${runnerName}-first`] : [runnerName],
    run_untagged: false,
  })) as { id: number; token: string };
  put(sandbox, `${runnerName}/${shard}/runner_token`, token, 'SecureString');
  if (shard === purple) {
    // The active shard serves by GitLab's word, and its machine is there; it has no job, so no process
    // runs on it, which spares half of them.
    sandbox.settings.change({ runnerName, shard }, { boot: 'never_contacts' });
    await post(sandbox, '/jobs/request', { token, system_id: `s_${runnerName}` });
  }
  await sandbox.stacks.apply({ runnerName, shard });
  return id;
}

async function post({ url, gitlab }: Sandbox, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}/api/v4${path}`, {
    method: 'POST',
    headers: { 'private-token': gitlab.deployerToken(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.status === 204 ? undefined : answer.json();
}

function put(
  { parameters }: Sandbox,
  name: string,
  value: string,
  type: 'String' | 'SecureString' = 'String',
): void {
  parameters.put({ name: `/gitlab/dedicated/runner/${name}`, value, type, overwrite: true });
}
