import type { Features } from './versions.ts';

/** Refusal that any part of this GitLab throws. It becomes the response. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function unauthorized(): Refusal {
  return new Refusal(401, { message: '401 Unauthorized' });
}

export function invalidToken(description: string): Refusal {
  const challenge = `Bearer realm="The API", error="invalid_token", error_description="${description}"`;
  const body = { error: 'invalid_token', error_description: description };
  return new Refusal(401, body, { 'www-authenticate': challenge });
}

export function insufficientScope(scopes: readonly string[]): Refusal {
  return new Refusal(403, {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: scopes.join(' '),
  });
}

export function forbidden(reason?: string, headers?: Record<string, string>): Refusal {
  const message = reason === undefined ? '403 Forbidden' : `403 Forbidden - ${reason}`;
  return new Refusal(403, { message }, headers);
}

export function notFound(resource?: string): Refusal {
  return new Refusal(404, {
    message: resource === undefined ? '404 Not found' : `404 ${resource} Not Found`,
  });
}

/** Creates the refusal of an unknown runner. Only the newest version names the runner in it. */
export function noSuchRunner({ missingRunnersNamed }: Features): Refusal {
  return notFound(missingRunnersNamed ? 'Runner' : undefined);
}

export function badRequest(reason: string): Refusal {
  return new Refusal(400, { message: `400 Bad request - ${reason}` });
}

/** Creates the refusal of GitLab's parameter parser. */
export function badParameter(error: string): Refusal {
  return new Refusal(400, { error });
}

/** Creates GitLab's response to an internal error. */
export function brokenInside(): Refusal {
  return new Refusal(500, { message: '500 Internal Server Error' });
}

/** Creates the refusal of GitLab's models, with a list per field. */
export function invalid(fields: Record<string, string[]>): Refusal {
  return new Refusal(400, { message: fields });
}
