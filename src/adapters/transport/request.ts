import { cancelGraceMs } from '../../ports/effect.ts';

export interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What is asked of whom, for errors: `GitLab GET /runners/48213`. Without secrets. */
  readonly source: string;
  /** Whether sending it twice is harmless. By default GET and HEAD only. */
  readonly repeatable?: boolean;
  /** It changes nothing, whatever its method. */
  readonly reads?: boolean;
  /** It carries no secret, so that it may go over plain http. */
  readonly secretless?: boolean;
  /** Called once it is on its way, each time that it is sent. */
  readonly onSent?: () => void;
  /** Called whenever it is refused because nobody may write there. */
  readonly onReadOnly?: (met: ReadOnlyMet) => void;
}

export interface ReadOnlyMet {
  /** The other side's own words. */
  readonly detail: string;
  /** How long ago, on our own clock, by the moment of the question. */
  agoMs(): number;
}

/** By names in any case; as much of fetch's own `Headers` as is needed. */
export interface AnswerHeaders {
  get(name: string): string | null;
  entries(): Iterable<[string, string]>;
}

/** Any answer below 300 or from 400 to 499 except 429; everything else is a PortFailure. */
export interface TransportAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;
}

export function isRepeatable(request: TransportRequest): boolean {
  return request.repeatable ?? (request.method === 'GET' || request.method === 'HEAD');
}

/** Whether it is a write: the others are not waited for after a cancel, and take their turn among the reads. */
export function mayChange(request: TransportRequest): boolean {
  return request.reads !== true && !isRepeatable(request);
}

export interface TransportLimits {
  /** From sending to the last byte of the answer. */
  readonly attemptMs: number;
  /** All attempts of one call and the waits between them. */
  readonly callMs: number;
  readonly attempts: number;
  /**
   * The latest moment at which a write is sent, since the caller asked for it: the checks that a caller
   * makes right before a write hold no longer.
   */
  readonly writeMs: number;
  readonly maxAnswerBytes: number;
  /** How long a write in flight may still be answered after a cancel. */
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
