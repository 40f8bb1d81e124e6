import { Hono } from 'hono';
import { authenticate } from '../authentication.ts';
import { moment } from '../entities/moment.ts';
import { userPublic } from '../entities/user.ts';
import type { Instance } from '../instance.ts';

export const GITLAB_VERSION = '19.3.0-ee';
const REVISION = '0a1b2c3d4e5';

/** What GitLab says of itself and of the token that asks. */
export function aboutRoutes(instance: Instance): Hono {
  const app = new Hono();

  for (const path of ['/metadata', '/version']) {
    app.get(path, (c) => {
      authenticate(c, instance, { scopes: ['api', 'read_api', 'read_user'] });
      return c.json({
        version: GITLAB_VERSION,
        revision: REVISION,
        kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
        enterprise: true,
      });
    });
  }

  app.get('/user', (c) => {
    const { user } = authenticate(c, instance, { scopes: ['api', 'read_api', 'read_user'] });
    return c.json(userPublic(instance, user));
  });

  app.get('/personal_access_tokens/self', (c) => {
    // A token may always look at itself.
    const identity = authenticate(c, instance, { scopes: 'any' });
    if (identity.kind !== 'token') throw new Error('A job token is refused before this.');
    const { token } = identity;
    return c.json({
      id: token.id,
      name: token.name,
      revoked: token.revoked,
      created_at: moment(token.createdAt),
      description: null,
      scopes: token.scopes,
      user_id: token.userId,
      last_used_at: moment(token.lastUsedAt),
      active: true,
      expires_at: moment(token.expiresAt).slice(0, 10),
      last_used_ips: ['127.0.0.1'],
    });
  });

  return app;
}
