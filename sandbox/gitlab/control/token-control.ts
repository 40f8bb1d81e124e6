import { findProject, OWNER } from '../answers/access.ts';
import { SCOPES } from '../answers/authentication.ts';
import type { AccessLevelName, GitLab, ProjectReference, TokenOrder } from '../answers/surface.ts';
import type { Instance } from '../instance.ts';
import { digestOf, newToken } from '../secrets.ts';
import { ACME, YEAR_MS } from '../seed.ts';
import type { Membership, Project, User } from '../state.ts';

const LEVELS: Record<AccessLevelName, number> = {
  none: 0,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: OWNER,
  admin: 0,
};

/** Creates users and tokens for the control API. */
export function createTokenControl(
  instance: Instance,
): Pick<GitLab, 'deployerToken' | 'createToken' | 'revokeToken' | 'createTriggerToken'> {
  return {
    deployerToken: () => instance.store.open(instance.state.deployerTokenSealed),
    createToken: (order) => createToken(instance, order),
    revokeToken(id) {
      const token = instance.state.tokens.find((row) => row.id === id);
      if (token === undefined) throw new RangeError(`There is no token ${id}.`);
      token.revoked = true;
      instance.changed();
    },
    createTriggerToken(reference) {
      const project = requireProject(instance, reference);
      const token = newToken(instance.random, 'glptt-');
      const userId = instance.state.users[0]?.id ?? 0;
      instance.state.triggers.push({ digest: digestOf(token), projectId: project.id, userId });
      instance.changed();
      return { token };
    },
  };
}

export function requireProject(instance: Instance, reference: ProjectReference): Project {
  const project = findProject(instance, reference);
  if (project === undefined) throw new RangeError(`There is no project ${reference}.`);
  return project;
}

function createToken(instance: Instance, order: TokenOrder): { id: number; token: string } {
  const unknown = order.scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown !== undefined) throw new RangeError(`There is no scope "${unknown}".`);
  const expiresAt =
    order.expiresAt === undefined ? instance.now() + YEAR_MS : Date.parse(order.expiresAt);
  if (Number.isNaN(expiresAt)) throw new RangeError(`"${order.expiresAt}" is no date.`);
  const user = ensureUser(instance, order.user);
  if (order.blocked !== undefined) user.blocked = order.blocked;
  if (order.accessLevel !== undefined) setRole(instance, user, order);
  const token = newToken(instance.random, 'glpat-');
  const id = instance.nextId('token');
  instance.state.tokens.push({
    id,
    name: order.user,
    digest: digestOf(token),
    userId: user.id,
    scopes: [...order.scopes],
    ...(order.permissions === undefined ? {} : { permissions: [...order.permissions] }),
    revoked: false,
    createdAt: instance.now(),
    expiresAt,
    lastUsedAt: null,
  });
  instance.changed();
  return { id, token };
}

function ensureUser(instance: Instance, username: string): User {
  const known = instance.state.users.find((user) => user.username === username);
  if (known !== undefined) return known;
  const user: User = {
    id: instance.nextId('user'),
    username,
    admin: false,
    createdAt: instance.now(),
  };
  instance.state.users.push(user);
  return user;
}

function setRole(
  instance: Instance,
  user: User,
  { accessLevel = 'none', project }: TokenOrder,
): void {
  user.admin = accessLevel === 'admin';
  const place: Membership =
    project === undefined
      ? { kind: 'group', groupId: ACME, userId: user.id, accessLevel: LEVELS[accessLevel] }
      : {
          kind: 'project',
          projectId: requireProject(instance, project).id,
          userId: user.id,
          accessLevel: LEVELS[accessLevel],
        };
  instance.state.memberships = instance.state.memberships.filter(
    (row) => row.userId !== user.id || !isSamePlace(row, place),
  );
  if (place.accessLevel > 0) instance.state.memberships.push(place);
}

function isSamePlace(one: Membership, other: Membership): boolean {
  if (one.kind === 'group') return other.kind === 'group' && one.groupId === other.groupId;
  return other.kind === 'project' && one.projectId === other.projectId;
}
