import { Hono } from 'hono';
import { authenticate } from '../answers/authentication.ts';
import { badRequest } from '../answers/refusal.ts';
import { moment } from '../entities/moment.ts';
import { userPublic } from '../entities/user.ts';
import type { Instance } from '../instance.ts';

const REVISION = '0a1b2c3d4e5';

/** What GitLab says of itself and of the token that asks. */
export function aboutRoutes(instance: Instance): Hono {
  const app = new Hono();

  for (const path of ['/metadata', '/version']) {
    app.get(path, (c) => {
      authenticate(c, instance, { own: ['read_user'] });
      return c.json({
        version: `${instance.version}.0-ee`,
        revision: REVISION,
        // Promised to runners and agents; nothing listens there.
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
    // A token may always look at itself; newer versions say why a job's may not.
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

  return app;
}
