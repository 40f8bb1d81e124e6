import type { Instance } from '../instance.ts';
import type { Group, Project, Runner, User } from '../state.ts';
import { forbidden, notFound } from './refusal.ts';

export const GUEST = 10;
export const REPORTER = 20;
export const DEVELOPER = 30;
export const MAINTAINER = 40;
export const OWNER = 50;

export function levelInGroup(instance: Instance, user: User, groupId: number): number {
  if (user.admin) return OWNER;
  return Math.max(
    0,
    ...instance.state.memberships
      .filter((m) => m.userId === user.id && m.kind === 'group' && m.groupId === groupId)
      .map((m) => m.accessLevel),
  );
}

export function levelInProject(instance: Instance, user: User, project: Project): number {
  return Math.max(
    levelInGroup(instance, user, project.groupId),
    ...instance.state.memberships
      .filter((m) => m.userId === user.id && m.kind === 'project' && m.projectId === project.id)
      .map((m) => m.accessLevel),
  );
}

/** Thrown for a request by a former path of a project. */
export class MovedProject extends Error {
  readonly reference: string;
  readonly projectId: number;

  constructor(reference: string, projectId: number) {
    super(`${reference} is project ${projectId} now`);
    this.reference = reference;
    this.projectId = projectId;
  }
}

/** Reads a project by id or full path. A project that the user may not see does not exist. */
export function readProject(instance: Instance, user: User, reference: string): Project {
  const moved = instance.state.projects.find((row) => row.formerPaths?.includes(reference));
  const project = findProject(instance, reference) ?? moved;
  if (project === undefined || levelInProject(instance, user, project) < GUEST) {
    throw notFound('Project');
  }
  if (project === moved && String(project.id) !== reference) {
    throw new MovedProject(reference, project.id);
  }
  return project;
}

export function findProject(instance: Instance, reference: string | number): Project | undefined {
  const wanted = String(reference);
  return instance.state.projects.find(
    (project) => String(project.id) === wanted || fullPathOf(instance, project) === wanted,
  );
}

export function readGroup(instance: Instance, user: User, reference: string): Group {
  const group = instance.state.groups.find(
    (candidate) => String(candidate.id) === reference || candidate.path === reference,
  );
  if (group === undefined || visibleLevelInGroup(instance, user, group) < GUEST) {
    throw notFound('Group');
  }
  return group;
}

// Returns the user's level in a group. A member of one project sees the group around it.
function visibleLevelInGroup(instance: Instance, user: User, group: Group): number {
  const projects = instance.state.projects.filter((project) => project.groupId === group.id);
  return Math.max(
    levelInGroup(instance, user, group.id),
    ...projects.map((project) => levelInProject(instance, user, project)),
  );
}

export function fullPathOf(instance: Instance, project: Project): string {
  const group = instance.state.groups.find((candidate) => candidate.id === project.groupId);
  return `${group?.path ?? ''}/${project.path}`;
}

export function requireLevel(level: number, needed: number, reason?: string): void {
  if (level < needed) throw forbidden(reason);
}

/**
 * Decides whether a user may read a runner. Everyone may read instance runners. Others need a
 * Maintainer; for a group's runner, a Maintainer of a project below it also suffices.
 */
export function mayReadRunner(instance: Instance, user: User, runner: Runner): boolean {
  if (user.admin || runner.type === 'instance_type') return true;
  const below = instance.state.projects
    .filter((project) => runner.type === 'group_type' && project.groupId === runner.groupId)
    .map((project) => levelInProject(instance, user, project));
  return Math.max(levelOverRunner(instance, user, runner), ...below) >= MAINTAINER;
}

/**
 * Decides whether a user may read the jobs of a runner. This needs more than reading the runner.
 */
export function mayReadBuildsOf(instance: Instance, user: User, runner: Runner): boolean {
  if (user.admin) return true;
  if (runner.type === 'instance_type') return false;
  return levelOverRunner(instance, user, runner) >= MAINTAINER;
}

export function mayUpdateRunner(instance: Instance, user: User, runner: Runner): boolean {
  if (user.admin) return true;
  if (runner.type === 'instance_type') return false;
  const needed = runner.type === 'group_type' ? OWNER : MAINTAINER;
  return levelOverRunner(instance, user, runner) >= needed;
}

function levelOverRunner(instance: Instance, user: User, runner: Runner): number {
  if (runner.type === 'group_type') return levelInGroup(instance, user, runner.groupId ?? 0);
  return Math.max(
    0,
    ...instance.state.projects
      .filter((project) => runner.projectIds.includes(project.id))
      .map((project) => levelInProject(instance, user, project)),
  );
}

/** Decides whether a user sees a project's jobs. `GET /runners/:id/jobs` omits all others. */
export function maySeeJobsOf(instance: Instance, user: User, projectId: number): boolean {
  const project = instance.state.projects.find((candidate) => candidate.id === projectId);
  return project !== undefined && levelInProject(instance, user, project) >= REPORTER;
}
