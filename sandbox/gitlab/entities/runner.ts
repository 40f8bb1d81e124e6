import { levelInGroup, levelInProject, mayUpdateRunner } from '../answers/access.ts';
import { isSince } from '../answers/versions.ts';
import { executionStatus, isOnline, managerStatus, restStatus } from '../contact.ts';
import type { Instance } from '../instance.ts';
import type { Manager, Runner, User } from '../state.ts';
import { moment } from './moment.ts';
import { groupBasic, projectBasic } from './project.ts';
import { userBasic, userById } from './user.ts';

export function runnerBasic(instance: Instance, runner: Runner) {
  return {
    id: runner.id,
    description: runner.description,
    ip_address: null,
    active: !runner.paused,
    paused: runner.paused,
    is_shared: runner.type === 'instance_type',
    runner_type: runner.type,
    name: null,
    online: isOnline(instance.now(), runner.contactedAt),
    ...(isSince(instance.version, '18.7')
      ? {
          created_by: userBasic(instance, userById(instance, runner.createdById)),
          created_at: moment(runner.createdAt),
        }
      : {}),
    status: restStatus(instance, runner),
    ...executionOf(instance, { runnerId: runner.id }),
  };
}

/**
 * Renders a runner for `reader`: with the groups and projects of this user, and the note only if
 * the user may change it.
 */
export function runnerDetails(
  instance: Instance,
  runner: Runner,
  { reader, includeProjects = true }: { reader: User; includeProjects?: boolean },
) {
  const latest = latestManager(instance, runner);
  const showsNote =
    !instance.features.notesForUpdaters || mayUpdateRunner(instance, reader, runner);
  return {
    ...runnerBasic(instance, runner),
    tag_list: runner.tags,
    run_untagged: runner.runUntagged,
    locked: runner.locked,
    maximum_timeout: runner.maximumTimeoutSeconds,
    access_level: runner.accessLevel,
    version: latest?.version ?? null,
    revision: latest?.revision ?? null,
    platform: latest?.platform ?? null,
    architecture: latest?.architecture ?? null,
    contacted_at: moment(runner.contactedAt),
    maintenance_note: showsNote ? runner.maintenanceNote : null,
    ...(includeProjects
      ? {
          projects: instance.state.projects
            .filter((project) => runner.projectIds.includes(project.id))
            .filter((project) => levelInProject(instance, reader, project) > 0)
            .map((project) => projectBasic(instance, project)),
        }
      : {}),
    groups: instance.state.groups
      .filter((group) => group.id === runner.groupId)
      .filter((group) => levelInGroup(instance, reader, group.id) > 0)
      .map((group) => groupBasic(instance, group)),
  };
}

/** Fields that REST also has, by REST's names. */
const inBoth = [
  'description',
  'maintenance_note',
  'paused',
  'tag_list',
  'run_untagged',
  'contacted_at',
] as const;
const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Simulated fields of `CiRunner`. */
export const graphqlFields: readonly string[] = [
  ...inBoth.map(camelCase),
  '__typename',
  'id',
  'jobExecutionStatus',
  'ownerProject',
  'projectCount',
  'tokenExpiresAt',
];

export function runnerInGraphql(instance: Instance, runner: Runner, reader: User) {
  const rest = runnerDetails(instance, runner, { reader, includeProjects: false });
  const mayUpdate = mayUpdateRunner(instance, reader, runner);
  return {
    ...Object.fromEntries(inBoth.map((name) => [camelCase(name), rest[name]])),
    __typename: 'CiRunner',
    id: `gid://gitlab/Ci::Runner/${runner.id}`,
    jobExecutionStatus: executionStatus(instance, { runnerId: runner.id }).toUpperCase(),
    projectCount: runner.type === 'project_type' ? runner.projectIds.length : null,
    tokenExpiresAt: mayUpdate ? moment(runner.tokenExpiresAt ?? null) : null,
  };
}

export function managerEntity(instance: Instance, manager: Manager) {
  return {
    id: manager.id,
    system_id: manager.systemId,
    version: manager.version,
    revision: manager.revision,
    platform: manager.platform,
    architecture: manager.architecture,
    created_at: moment(manager.createdAt),
    contacted_at: moment(manager.contactedAt),
    ip_address: manager.ipAddress,
    status: managerStatus(instance, manager),
    ...executionOf(instance, { managerId: manager.id }),
  };
}

function executionOf(instance: Instance, by: Parameters<typeof executionStatus>[1]) {
  if (!instance.features.executionStatusInRest) return {};
  return { job_execution_status: executionStatus(instance, by) };
}

function latestManager(instance: Instance, runner: Runner): Manager | undefined {
  return instance.state.managers
    .filter((row) => row.runnerId === runner.id)
    .sort((one, other) => (other.contactedAt ?? 0) - (one.contactedAt ?? 0))[0];
}
