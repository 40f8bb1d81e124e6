import { executionStatus, isOnline, managerStatus, runnerStatus } from '../contact.ts';
import type { Instance } from '../instance.ts';
import type { Manager, Runner } from '../state.ts';
import { moment } from './moment.ts';
import { groupBasic, projectBasic } from './project.ts';
import { userBasic, userById } from './user.ts';

export function runnerBasic(instance: Instance, runner: Runner) {
  return {
    id: runner.id,
    description: runner.description,
    ip_address: '',
    active: !runner.paused,
    paused: runner.paused,
    is_shared: runner.type === 'instance_type',
    runner_type: runner.type,
    name: null,
    online: isOnline(instance.now(), runner.contactedAt),
    created_by: userBasic(instance, userById(instance, runner.createdById)),
    created_at: moment(runner.createdAt),
    status: runnerStatus(instance, runner),
    job_execution_status: executionStatus(instance, { runnerId: runner.id }),
  };
}

/** Version and platform are the managers' since GitLab 18; here they are empty. */
export function runnerDetails(instance: Instance, runner: Runner, includeProjects: boolean) {
  return {
    ...runnerBasic(instance, runner),
    tag_list: runner.tags,
    run_untagged: runner.runUntagged,
    locked: runner.locked,
    maximum_timeout: runner.maximumTimeoutSeconds,
    access_level: runner.accessLevel,
    version: null,
    revision: null,
    platform: null,
    architecture: null,
    contacted_at: moment(runner.contactedAt),
    maintenance_note: runner.maintenanceNote,
    ...(includeProjects
      ? {
          projects: instance.state.projects
            .filter((project) => runner.projectIds.includes(project.id))
            .map((project) => projectBasic(instance, project)),
        }
      : {}),
    groups: instance.state.groups
      .filter((group) => group.id === runner.groupId)
      .map((group) => groupBasic(instance, group)),
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
    job_execution_status: executionStatus(instance, { managerId: manager.id }),
  };
}
