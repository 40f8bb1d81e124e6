import { Hono } from 'hono';
import { levelInGroup, OWNER, readGroup } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { badRequest, forbidden } from '../answers/refusal.ts';
import { moment } from '../entities/moment.ts';
import { userPublic } from '../entities/user.ts';
import type { Instance } from '../instance.ts';

/** Default limit of a self-managed GitLab. */
const MOST_RUNNERS = 1000;
const OF_FREE_PLAN = 50;
const REVISION = '0a1b2c3d4e5';

/** Creates the routes about GitLab itself and the caller's token. */
export function aboutRoutes(instance: Instance): Hono {
  const app = new Hono();

  for (const path of ['/metadata', '/version']) {
    app.get(path, (c) => {
      authenticate(c, instance, { own: ['read_user'] });
      return c.json({
        version: `${instance.version}.0-ee`,
        revision: REVISION,
        // Runners and agents expect this field; no server listens there.
        kas: {
          enabled: true,
          externalUrl: `${instance.baseUrl().replace(/^http/, 'ws')}/-/kubernetes-agent/`,
          externalK8sProxyUrl: null,
          version: `${instance.version}.0`,
        },
        enterprise: true,
      });
    });
  }

  app.get('/user', (c) => {
    const { user } = authenticate(c, instance, { own: ['read_user'] });
    return c.json(userPublic(instance, user));
  });

  app.get('/personal_access_tokens/self', (c) => {
    // A token may always read itself. Newer versions explain why a job token may not.
    const { features } = instance;
    const jobToken = features.personalTokensOnly;
    const identity = authenticate(c, instance, { own: 'any', jobToken });
    if (identity.kind !== 'token') {
      throw badRequest('This endpoint requires token type to be a personal access token');
    }
    const { token } = identity;
    return c.json({
      id: token.id,
      name: token.name,
      revoked: token.revoked,
      created_at: moment(token.createdAt),
      ...(features.describedTokens ? { description: null } : {}),
      scopes: token.scopes,
      user_id: token.userId,
      last_used_at: moment(token.lastUsedAt),
      active: true,
      expires_at: moment(token.expiresAt).slice(0, 10),
      ...(features.addressesOfTokens ? { last_used_ips: ['127.0.0.1'] } : {}),
    });
  });

  limitRoutes(app, instance);
  return app;
}

/** Creates the routes for the runner limit of a group or project, if the token may read it. */
function limitRoutes(app: Hono, instance: Instance): void {
  app.get('/application/plan_limits', (c) => {
    const { user } = authenticate(c, instance);
    if (!user.admin) throw forbidden();
    const most = instance.state.mostRunners ?? MOST_RUNNERS;
    return c.json({ ci_registered_group_runners: most, ci_registered_project_runners: most });
  });

  // The limit of the free plan identifies a group on GitLab.com. Only owners see the plan.
  app.get('/namespaces/:id', (c) => {
    const { user } = authenticate(c, instance);
    const group = readGroup(instance, user, c.req.param('id'));
    const isFree = instance.state.mostRunners === OF_FREE_PLAN;
    return c.json({
      id: group.id,
      kind: 'group',
      full_path: group.path,
      parent_id: null,
      ...(levelInGroup(instance, user, group.id) >= OWNER
        ? { plan: isFree ? 'free' : 'default' }
        : {}),
    });
  });
}
