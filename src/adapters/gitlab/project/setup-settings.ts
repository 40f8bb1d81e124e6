import type { ProjectSetting } from '../../../domain/project-setting.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { autoCancelLines } from './auto-cancel.ts';
import { describeSchedule } from './finalize-schedule.ts';
import {
  defaultProcessMode,
  describeMinimumRole,
  findProcessMode,
  minimumRole,
  noOne,
  type PipelineSettings,
  type ProjectPlace,
  pathOfProject,
  readConfiguredAutoCancel,
  readPipelineSettings,
  readSetting,
  resourceGroupOf,
} from './pipeline-settings.ts';
import { describeTokenVariable, type StoredToken } from './token-variable.ts';

export interface SetupRequest {
  readonly client: GitLabClient;
  /** Id or path of the project. */
  readonly project: string;
  readonly runnerNames: readonly string[];
  readonly token: StoredToken;
}

export interface ProjectSetup {
  /** Path of the project. */
  readonly project: string;
  readonly settings: readonly ProjectSetting[];
  /** Steps that no setting can replace. */
  readonly steps: readonly string[];
}

/** Reads the settings of the deploying project. Only an unreadable project rejects. */
export async function readProjectSetup(request: SetupRequest): Promise<ProjectSetup> {
  const { client, runnerNames } = request;
  const project = pathOfProject(request.project);
  const settings = await readPipelineSettings(client, project);
  const branch = settings.default_branch ?? 'main';
  const place = { client, project };
  const listed = [
    describeRole(place, settings),
    ...describeDefaultMode(place, settings),
    ...(await Promise.all(runnerNames.map((name) => describeGroup(place, name)))).flat(),
    await describeAutoCancel(place, branch),
    await describeSchedule(place, branch),
    ...(await describeTokenVariable(place, request.token)),
  ];
  return {
    project: settings.path_with_namespace ?? request.project,
    settings: listed,
    steps: [
      `Protect the branch ${branch} (Settings > Repository > Protected branches). Pipelines of other branches then receive no token.`,
      'Select Protected for the runner of runner_tags, and lock a project runner to this project (docs/use/gitlab.md, The runner for the jobs).',
    ],
  };
}

function describeRole(place: ProjectPlace, settings: PipelineSettings): ProjectSetting {
  const { client, project } = place;
  const role = describeMinimumRole(settings);
  const readRole = async () => {
    const found = await readPipelineSettings(client, project);
    return describeMinimumRole(found) ?? 'not shown';
  };
  return {
    name: minimumRole,
    present:
      role === undefined
        ? { unread: 'GitLab shows it only to Maintainers of the project' }
        : { value: role },
    wanted: noOne,
    byHand:
      'In Settings > CI/CD > Variables, set "Minimum role to use pipeline variables" to "No one allowed".',
    change: {
      read: readRole,
      async write() {
        await client.raw.put(project, { body: { [minimumRole]: noOne } });
        // Some versions enforce the role only with this second, older setting.
        if ((await readRole()) !== noOne)
          await client.raw.put(project, { body: { restrict_user_defined_variables: true } });
      },
    },
  };
}

/** Describes the mode of new resource groups; empty for a version that lacks it. */
function describeDefaultMode(
  { client, project }: ProjectPlace,
  settings: PipelineSettings,
): readonly ProjectSetting[] {
  const mode = settings[defaultProcessMode];
  if (!mode) return [];
  const body = { [defaultProcessMode]: 'unordered' };
  return [
    {
      name: defaultProcessMode,
      present: { value: mode },
      wanted: 'unordered',
      byHand: `Set the default process mode of resource groups to unordered: PUT /${project} with ${defaultProcessMode}=unordered.`,
      change: {
        read: async () =>
          (await readPipelineSettings(client, project))[defaultProcessMode] ?? 'not shown',
        async write() {
          await client.raw.put(project, { body });
        },
      },
    },
  ];
}

/** Describes a stack's resource group; empty before its first pipeline. */
async function describeGroup(
  { client, project }: ProjectPlace,
  runnerName: string,
): Promise<readonly ProjectSetting[]> {
  const group = resourceGroupOf(runnerName);
  const read = async () => (await findProcessMode(client, project, runnerName)) ?? 'absent';
  const present = await readSetting(read);
  if ('value' in present && present.value === 'absent') return [];
  const key = encodeURIComponent(group);
  return [
    {
      name: `process mode of ${group}`,
      present,
      wanted: 'unordered',
      byHand: `Set the process mode of the resource group: PUT /${project}/resource_groups/${key} with process_mode=unordered.`,
      change: {
        read,
        async write() {
          await client.raw.put(`${project}/resource_groups/${key}`, {
            body: { process_mode: 'unordered' },
          });
        },
      },
    },
  ];
}

async function describeAutoCancel(
  { client, project }: ProjectPlace,
  branch: string,
): Promise<ProjectSetting> {
  const present = await readSetting(async () => {
    const { onNewCommit, onJobFailure } = await readConfiguredAutoCancel(client, project, branch);
    return `on_new_commit: ${onNewCommit.join(' or ')}, on_job_failure: ${onJobFailure.join(' or ')}`;
  });
  return {
    name: 'workflow:auto_cancel',
    present,
    wanted: 'on_new_commit: none, on_job_failure: none',
    byHand: ['Add these lines to .gitlab-ci.yml:', ...autoCancelLines].join('\n'),
  };
}
