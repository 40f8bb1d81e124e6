import { z } from 'zod';
import type { SettingReading } from '../../../domain/project-setting.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import { unexpected } from '../../transport/answers/shape.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { isNotFound } from '../http-404.ts';
import { readOne } from '../list-reader.ts';
import { type AutoCancel, readAutoCancel } from './auto-cancel.ts';

/** GitLab shows all fields except the first ones only to Maintainers. */
export const pipelineSettings = z.object({
  path_with_namespace: z.string().nullish(),
  default_branch: z.string().nullish(),
  ci_pipeline_variables_minimum_override_role: z.string().nullish(),
  restrict_user_defined_variables: z.boolean().nullish(),
  auto_cancel_pending_pipelines: z.string().nullish(),
  /** From about 18.4 on. */
  resource_group_default_process_mode: z.string().nullish(),
});
export type PipelineSettings = z.infer<typeof pipelineSettings>;

export const resourceGroup = z.object({ process_mode: z.string() });
export const lintResult = z.object({
  merged_yaml: z.string().nullish(),
  errors: z.array(z.string()).nullish(),
});

/** Minimum role with which no user can set pipeline variables. */
export const noOne = 'no_one_allowed';
export const minimumRole = 'ci_pipeline_variables_minimum_override_role';
export const defaultProcessMode = 'resource_group_default_process_mode';

export function pathOfProject(project: number | string): string {
  return `projects/${encodeURIComponent(project)}`;
}

/** Returns the resource group that the template gives to the jobs of a stack. */
export function resourceGroupOf(runnerName: string): string {
  return `hosted-runner/${runnerName}`;
}

export async function readPipelineSettings(
  client: GitLabClient,
  project: string,
): Promise<PipelineSettings> {
  return readOne(client, project, { schema: pipelineSettings });
}

/**
 * Describes the minimum role for pipeline variables; undefined if GitLab does not report it. Some versions
 * enforce the role only together with a second setting (app/models/project_ci_cd_setting.rb).
 */
export function describeMinimumRole(settings: PipelineSettings): string | undefined {
  const { [minimumRole]: role, restrict_user_defined_variables: isEnforced } = settings;
  if (!role) return undefined;
  return isEnforced === false ? `${role}, not enforced` : role;
}

/** Returns the process mode; undefined before the first pipeline creates the resource group. */
export async function findProcessMode(
  client: GitLabClient,
  project: string,
  runnerName: string,
): Promise<string | undefined> {
  const key = encodeURIComponent(resourceGroupOf(runnerName));
  try {
    const group = await readOne(client, `${project}/resource_groups/${key}`, {
      schema: resourceGroup,
    });
    return group.process_mode;
  } catch (error) {
    if (isNotFound(error, 'resourceGroup')) return undefined;
    throw error;
  }
}

/** Reads `workflow:auto_cancel` of the merged configuration at a commit or branch. */
export async function readConfiguredAutoCancel(
  client: GitLabClient,
  project: string,
  ref: string | undefined,
): Promise<AutoCancel> {
  const path = `${project}/ci/lint`;
  const query = ref === undefined ? {} : { content_ref: ref };
  const found = await readOne(client, path, { schema: lintResult, query });
  const { merged_yaml: merged, errors } = found;
  const values = merged ? readAutoCancel(merged) : undefined;
  if (values !== undefined) return values;
  const source = `GitLab GET /${path}`;
  const reason = errors?.[0] ?? 'the response has no valid merged_yaml';
  throw unexpected(reason, { source, effect: 'none', redactor: client.redactor });
}

export interface ProjectPlace {
  readonly client: GitLabClient;
  /** Path of the project below `/api/v4/`. */
  readonly project: string;
}

/** Returns a value, or why GitLab does not return it. */
export async function readSetting(read: () => Promise<string>): Promise<SettingReading> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { unread: error.detail };
  }
}
