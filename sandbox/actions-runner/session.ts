import type { ManagerSettings } from '../manager/orders.ts';

export interface TakenJob {
  readonly id: number;
  readonly name: string;
  readonly script: readonly string[];
}

export interface Answer {
  /** HTTP status, or -1 without a response. */
  readonly status: number;
  readonly body: unknown;
}

/**
 * Runner's connection to the sandbox's GitHub. The real protocol is not published; these requests
 * have the same effects.
 */
export class RunnerSession {
  /** Whether the machine hangs: no request leaves it and no response arrives. */
  frozen = false;
  credential: string | undefined;
  readonly #settings: ManagerSettings;

  constructor(settings: ManagerSettings) {
    this.#settings = settings;
  }

  register(): Promise<Answer> {
    const { token, version, github } = this.#settings;
    return this.#send('register', {
      token,
      version,
      name: github?.name,
      labels: github?.labels,
      group: github?.group,
      ephemeral: github?.ephemeral,
      replace: true,
    });
  }

  open(): Promise<Answer> {
    return this.#send('session', { credential: this.credential });
  }

  take(): Promise<Answer> {
    return this.#send('take', { credential: this.credential });
  }

  acquire(jobId: number): Promise<Answer> {
    return this.#send('acquire', { credential: this.credential, job_id: jobId });
  }

  heartbeat(jobId: number): Promise<Answer> {
    return this.#send('heartbeat', { credential: this.credential, job_id: jobId });
  }

  finish(jobId: number, conclusion: 'success' | 'failure'): Promise<Answer> {
    return this.#send('finish', { credential: this.credential, job_id: jobId, conclusion });
  }

  async #send(what: string, body: object): Promise<Answer> {
    if (this.frozen) return new Promise(() => undefined);
    try {
      const response = await fetch(`${this.#settings.url}/runner-side/${what}`, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      if (this.frozen) return await new Promise(() => undefined);
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      return { status: -1, body: undefined };
    }
  }
}
