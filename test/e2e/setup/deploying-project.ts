import { openWorld, type World } from '../by-hand/world/world.ts';

export const role = 'ci_pipeline_variables_minimum_override_role';
export const mode = 'resource_group_default_process_mode';
export const wrong = { [role]: 'developer', [mode]: 'oldest_first' };
const group = 'projects/101/resource_groups/hosted-runner%2Flinux';
const schedules = 'projects/101/pipeline_schedules';

export interface DeployingProject {
  readonly world: World;
  // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
  send(method: string, path: string, body?: unknown): Promise<any>;
  /** Sets every setting wrong and removes the schedules. */
  makeWrong(): Promise<void>;
  readSettings(): Promise<object>;
}

/** Opens a world whose project deployed once and has every setting wrong. */
export async function openWrongProject(): Promise<DeployingProject> {
  const world = await openWorld();
  world.sandbox.gitlab.createPipeline({ project: 101 });
  const send: DeployingProject['send'] = async (method, path, body) => {
    const response = await fetch(`${world.sandbox.url}/api/v4/${path}`, {
      method,
      headers: {
        'private-token': world.sandbox.gitlab.deployerToken(),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : response.json();
  };
  const project: DeployingProject = {
    world,
    send,
    async makeWrong() {
      await send('PUT', 'projects/101', wrong);
      await send('PUT', group, { process_mode: 'oldest_first' });
      for (const { id } of await send('GET', schedules)) await send('DELETE', `${schedules}/${id}`);
    },
    async readSettings() {
      const settings = await send('GET', 'projects/101');
      const listed: Record<string, unknown>[] = await send('GET', schedules);
      return {
        ...{ [role]: settings[role], [mode]: settings[mode] },
        group: (await send('GET', group)).process_mode,
        schedules: listed.map(({ description, ref, cron, active }) => [
          ...[description, ref, cron, active],
        ]),
      };
    },
  };
  await project.makeWrong();
  return project;
}
