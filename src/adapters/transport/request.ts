import { cancelGraceMs } from '../../ports/effect.ts';

export interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Request and target for errors, without secrets: `GitLab GET /runners/48213`. */
  readonly source: string;
  /** Whether the request may be sent twice. Default: only GET and HEAD. */
  readonly repeatable?: boolean;
  /** Whether the request changes nothing, whatever its method. */
  readonly reads?: boolean;
  /** Whether the request has no secret and may use plain http. */
  readonly secretless?: boolean;
  /** Called each time that the request is sent. */
  readonly onSent?: () => void;
  /** Called each time that a read-only server refuses the request. */
  readonly onReadOnly?: (met: ReadOnlyMet) => void;
}

export interface ReadOnlyMet {
  /** Message of the other side. */
  readonly detail: string;
  /** Returns the time since the request, by the local clock. */
  agoMs(): number;
}

/** Headers by name in any case: the members of fetch's `Headers` in use. */
export interface AnswerHeaders {
  get(name: string): string | null;
  entries(): Iterable<[string, string]>;
}

/**
 * Response with a status below 300, or from 400 to 499 except 429. Everything else is a
 * PortFailure.
 */
export interface TransportAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;
}

export function isRepeatable(request: TransportRequest): boolean {
  return request.repeatable ?? (request.method === 'GET' || request.method === 'HEAD');
}

/**
 * Decides whether a request is a write. A cancel does not wait for a read, and reads have their own
 * queue.
 */
export function mayChange(request: TransportRequest): boolean {
  return request.reads !== true && !isRepeatable(request);
}

export interface TransportLimits {
  /** Limit from sending to the last byte of the response. */
  readonly attemptMs: number;
  /** Limit for all attempts of a call and the waits between them. */
  readonly callMs: number;
  readonly attempts: number;
  /**
   * Limit for sending a write after the caller's request. Checks that the caller made right before
   * the write are out of date later.
   */
  readonly writeMs: number;
  readonly maxAnswerBytes: number;
  /** Time that a write in flight may wait for its response after a cancel. */
  readonly graceMs: number;
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
}

export const usualLimits: TransportLimits = {
  attemptMs: 30_000,
  callMs: 180_000,
  attempts: 7,
  writeMs: 30_000,
  maxAnswerBytes: 8 * 1024 * 1024,
  graceMs: cancelGraceMs,
  firstBackoffMs: 500,
  maxBackoffMs: 20_000,
};
