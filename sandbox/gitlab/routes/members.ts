import { Hono } from 'hono';
import { levelInGroup, levelInProject, readGroup, readProject } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { notFound } from '../answers/refusal.ts';
import { moment } from '../entities/moment.ts';
import { userBasic } from '../entities/user.ts';
import type { Instance } from '../instance.ts';
import type { User } from '../state.ts';

/** Creates the routes for roles. `all` includes roles that a project inherits from its group. */
export function memberRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.get('/groups/:id/members/all/:userId{[0-9]+}', (c) => {
    const { user } = authenticate(c, instance);
    const group = readGroup(instance, user, c.req.param('id'));
    const levelOf = (one: User) => levelInGroup(instance, withoutAdmin(one), group.id);
    return c.json(readMember(c.req.param('userId'), levelOf));
  });

  app.get('/projects/:id/members/all/:userId{[0-9]+}', (c) => {
    const { user } = authenticate(c, instance);
    const project = readProject(instance, user, c.req.param('id'));
    const levelOf = (one: User) => levelInProject(instance, withoutAdmin(one), project);
    return c.json(readMember(c.req.param('userId'), levelOf));
  });

  function readMember(id: string, levelOf: (user: User) => number) {
    const user = instance.state.users.find((row) => String(row.id) === id);
    const level = user === undefined ? 0 : levelOf(user);
    if (user === undefined || level === 0) throw notFound();
    return member(instance, user, level);
  }

  return app;
}

/** Returns an administrator as an ordinary user: an administrator is no member anywhere. */
function withoutAdmin(user: User): User {
  return { ...user, admin: false };
}

/** Renders a user's role in a group or project, including inherited ones. */
function member(instance: Instance, user: User, accessLevel: number) {
  return {
    ...userBasic(instance, user),
    access_level: accessLevel,
    created_at: moment(user.createdAt),
    expires_at: null,
    membership_state: 'active',
  };
}
