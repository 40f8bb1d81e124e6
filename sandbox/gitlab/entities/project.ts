import { fullPathOf, MAINTAINER } from '../answers/access.ts';
import type { Instance } from '../instance.ts';
import type { PipelineSettings } from '../settings/settings.ts';
import type { Group, Project } from '../state.ts';
import { moment } from './moment.ts';

export function projectIdentity(instance: Instance, project: Project) {
  const path = fullPathOf(instance, project);
  return {
    id: project.id,
    description: null,
    name: project.name,
    name_with_namespace: path.replace('/', ' / '),
    path: project.path,
    path_with_namespace: path,
    created_at: moment(project.createdAt),
  };
}

export function projectBasic(instance: Instance, project: Project) {
  const webUrl = webUrlOf(instance, project);
  const path = fullPathOf(instance, project);
  return {
    ...projectIdentity(instance, project),
    default_branch: project.branches[0] ?? null,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@${new URL(instance.baseUrl()).hostname}:${path}.git`,
    http_url_to_repo: `${webUrl}.git`,
    web_url: webUrl,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: moment(project.createdAt),
    visibility: 'private',
    namespace: namespaceOf(instance, project),
  };
}

/** Renders `GET /projects/:id`, which a client reads before it starts a pipeline. */
export function projectDetails(instance: Instance, project: Project, level: number) {
  const { settings } = project;
  return {
    ...projectBasic(instance, project),
    archived: false,
    empty_repo: false,
    jobs_enabled: true,
    shared_runners_enabled: true,
    ...(instance.features.defaultProcessModes
      ? { resource_group_default_process_mode: settings.processMode }
      : {}),
    ...(level >= MAINTAINER ? settingsForMaintainers(settings) : {}),
  };
}

/** Renders the fields that lib/api/entities/project.rb shows only with `admin_project`. */
function settingsForMaintainers(settings: PipelineSettings) {
  return {
    group_runners_enabled: true,
    restrict_user_defined_variables: settings.isRestricted,
    ci_pipeline_variables_minimum_override_role: settings.minimumRole,
    auto_cancel_pending_pipelines: settings.autoCancel,
  };
}

export function groupBasic(instance: Instance, group: Group) {
  return { id: group.id, web_url: `${instance.baseUrl()}/groups/${group.path}`, name: group.name };
}

export function groupDetails(instance: Instance, group: Group) {
  return {
    ...groupBasic(instance, group),
    path: group.path,
    description: '',
    visibility: 'private',
    full_name: group.name,
    full_path: group.path,
    parent_id: null,
    shared_runners_setting: 'enabled',
  };
}

export function webUrlOf(instance: Instance, project: Project): string {
  return `${instance.baseUrl()}/${fullPathOf(instance, project)}`;
}

export function projectById(instance: Instance, id: number): Project {
  const project = instance.state.projects.find((candidate) => candidate.id === id);
  if (project === undefined) throw new Error(`There is no project ${id}.`);
  return project;
}

function namespaceOf(instance: Instance, project: Project) {
  const group = instance.state.groups.find((candidate) => candidate.id === project.groupId);
  return {
    id: project.groupId,
    name: group?.name ?? '',
    path: group?.path ?? '',
    kind: 'group',
    full_path: group?.path ?? '',
    parent_id: null,
    avatar_url: null,
    web_url: `${instance.baseUrl()}/groups/${group?.path ?? ''}`,
  };
}
