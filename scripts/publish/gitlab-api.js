import { setTimeout as wait } from 'node:timers/promises';
import { PublishProblem, resumable } from './problem.js';

const timeoutMs = 30_000;
const tries = 4;

/** A response that is no success. `isEffectUnknown`: the request may have changed GitLab. */
export class RequestFailure extends Error {
  /** @param {{ call: string, status: number | undefined, detail: string, isChange: boolean }} parts */
  constructor({ call, status, detail, isChange }) {
    super(`${call}: ${status === undefined ? '' : `${status} `}${detail}`);
    this.status = status;
    this.isEffectUnknown = isChange && (status === undefined || status >= 500);
    this.isTransient = status === undefined || status === 429 || status >= 500;
  }
}

/**
 * Client of one GitLab. Reads are retried; changes are sent once, because `ensure` reads whether
 * an unanswered change took effect.
 */
export class GitLabApi {
  /**
   * @param {{ url: string, token: string, retryMs: number, signal: AbortSignal, fetch: typeof globalThis.fetch }} options
   */
  constructor({ url, token, retryMs, signal, fetch }) {
    this.fetch = fetch;
    this.url = url;
    this.token = token;
    this.retryMs = retryMs;
    this.signal = signal;
  }

  /** Reads a resource. @param {string} path below /api/v4 @returns {Promise<any>} */
  read(path) {
    return this.retry(() => this.send({ method: 'GET', path: `/api/v4${path}` }));
  }

  /** Reads a resource, or returns undefined for 404. @param {string} path @returns {Promise<any>} */
  async find(path) {
    try {
      return await this.read(path);
    } catch (error) {
      if (error instanceof RequestFailure && error.status === 404) return undefined;
      throw error;
    }
  }

  /** @param {'POST' | 'PUT'} method @param {string} path @param {object} body @returns {Promise<any>} */
  change(method, path, body) {
    return this.send({ method, path: `/api/v4${path}`, body, isChange: true });
  }

  /** @param {string} query @param {object} variables @returns {Promise<any>} the data */
  async query(query, variables) {
    return this.retry(() => this.graphql({ query, variables, isChange: false }));
  }

  /** @param {string} query @param {object} variables @returns {Promise<any>} the data */
  mutate(query, variables) {
    return this.graphql({ query, variables, isChange: true });
  }

  /** @param {{ query: string, variables: object, isChange: boolean }} request */
  async graphql({ query, variables, isChange }) {
    const body = { query, variables };
    const { data, errors } = await this.send({
      method: 'POST',
      path: '/api/graphql',
      body,
      isChange,
    });
    if (Array.isArray(errors) && errors.length > 0) {
      const detail = errors.map((/** @type {{ message: string }} */ one) => one.message).join(' ');
      throw new RequestFailure({ call: 'POST /api/graphql', status: 200, detail, isChange });
    }
    return data;
  }

  /** @param {() => Promise<any>} send */
  async retry(send) {
    for (let turn = 1; ; turn += 1) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof RequestFailure && error.isTransient) || turn === tries) throw error;
        await wait(this.retryMs * turn, undefined, { signal: this.signal });
      }
    }
  }

  /** @param {{ method: string, path: string, body?: object, isChange?: boolean }} request */
  async send({ method, path, body, isChange = false }) {
    const call = `${method} ${path}`;
    let status;
    let text;
    try {
      const response = await this.fetch(`${this.url}${path}`, {
        method,
        // A redirect could send the token to another server.
        redirect: 'manual',
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      this.signal.throwIfAborted();
      throw new RequestFailure({ call, status: undefined, detail: causeOf(error), isChange });
    }
    const parsed = parse(text);
    if (status >= 200 && status < 300 && parsed !== undefined) return parsed;
    throw new RequestFailure({ call, status, detail: detailOf(parsed, text), isChange });
  }
}

/**
 * Creates something at most once: reads it first, and reads it again after each attempt.
 * @template T
 * @param {{ find: () => Promise<T | undefined>, create: () => Promise<unknown>, name: string }} what
 * @returns {Promise<T>}
 */
export async function ensure({ find, create, name }) {
  /** @type {unknown} */
  let last;
  for (let turn = 0; turn < 3; turn += 1) {
    const found = await find();
    if (found !== undefined) return found;
    try {
      await create();
    } catch (error) {
      if (!(error instanceof RequestFailure && error.isEffectUnknown)) throw error;
      last = error;
    }
  }
  const found = await find();
  if (found !== undefined) return found;
  throw new PublishProblem({
    what: `GitLab did not create ${name} in three attempts.`,
    why: last instanceof Error ? last.message : 'GitLab reported success, but does not list it.',
    now: resumable,
    fix: ['Run the same command again later.'],
  });
}

/** @param {string} text */
function parse(text) {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {any} parsed @param {string} text */
function detailOf(parsed, text) {
  const message = parsed?.message ?? parsed?.error_description ?? parsed?.error;
  if (message !== undefined) return typeof message === 'string' ? message : JSON.stringify(message);
  return parsed === undefined ? `no JSON (${text.slice(0, 60).replaceAll(/\s+/g, ' ')})` : '';
}

/** @param {unknown} error */
function causeOf(error) {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  const cause = /** @type {{ code?: string, message?: string } | undefined} */ (error.cause);
  return cause?.code ?? cause?.message ?? error.message;
}
