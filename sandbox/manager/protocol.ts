import type { JobPayload, JobUpdate, RunnerInfo } from './jobs/payload.ts';
import type { ManagerSettings } from './orders.ts';
import { abilitiesOf } from './version.ts';

/** HTTP response of the runner's protocol. `status` is -1 without a response. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Client of GitLab's runner protocol. A missing response never throws. */
export class RunnerProtocol {
  /** Whether the machine hangs: no request is sent and none ends. */
  frozen = false;
  readonly #settings: ManagerSettings;
  #lastUpdate = '';

  constructor(settings: ManagerSettings) {
    this.#settings = settings;
  }

  verify(): Promise<Answer> {
    const info = abilitiesOf(this.#settings.version).infoOnVerify ? { info: this.#info() } : {};
    return this.#send('POST', 'runners/verify', {
      body: { ...info, token: this.#settings.token, ...this.#systemId() },
    });
  }

  /** Requests a job. GitLab may have assigned a job to an aborted request. */
  async requestJob(signal: AbortSignal): Promise<{ answer: Answer; job?: JobPayload }> {
    const answer = await this.#send('POST', 'jobs/request', {
      body: {
        info: this.#info(),
        token: this.#settings.token,
        ...this.#systemId(),
        ...(this.#lastUpdate === '' ? {} : { last_update: this.#lastUpdate }),
      },
      signal,
    });
    this.#lastUpdate = answer.headers.get('x-gitlab-last-update') ?? this.#lastUpdate;
    if (answer.status !== 201) return { answer };
    return { answer, job: JSON.parse(answer.text) as JobPayload };
  }

  updateJob(job: { id: number; token: string }, update: JobUpdate): Promise<Answer> {
    return this.#send('PUT', `jobs/${job.id}`, {
      body: { info: this.#info(), token: job.token, ...update },
      headers: { 'job-token': job.token },
    });
  }

  appendTrace(job: { id: number; token: string }, start: number, bytes: Buffer): Promise<Answer> {
    return this.#send('PATCH', `jobs/${job.id}/trace?debug_trace=false`, {
      bytes,
      headers: {
        'job-token': job.token,
        'content-type': 'text/plain',
        'content-range': `${start}-${start + bytes.length - 1}`,
      },
    });
  }

  async #send(method: string, path: string, request: OutgoingRequest): Promise<Answer> {
    if (this.frozen) return new Promise(() => undefined);
    const { body, bytes, headers, signal } = request;
    try {
      const response = await fetch(`${this.#settings.url}/api/v4/${path}`, {
        method,
        redirect: 'error',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': `gitlab-runner ${this.#settings.version} (sandbox)`,
          'runner-token': this.#settings.token,
          ...headers,
        },
        body: bytes === undefined ? JSON.stringify(body) : new Uint8Array(bytes),
        signal: AbortSignal.any([AbortSignal.timeout(60_000), ...(signal ? [signal] : [])]),
      });
      const text = await response.text();
      if (this.frozen) return await new Promise(() => undefined);
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      const cause = (error as Error).cause as Error | undefined;
      return { status: -1, headers: new Headers(), text: (cause ?? (error as Error)).message };
    }
  }

  #systemId(): { system_id?: string } {
    const { systemId, version } = this.#settings;
    return abilitiesOf(version).sendsSystemId ? { system_id: systemId } : {};
  }

  #info(): RunnerInfo {
    const { version } = this.#settings;
    const abilities = abilitiesOf(version);
    return {
      name: 'gitlab-runner',
      version,
      revision: 'sandbox0',
      platform: 'linux',
      architecture: 'amd64',
      executor: 'shell',
      shell: 'sh',
      features: {
        trace_reset: true,
        trace_checksum: true,
        trace_size: true,
        cancelable: true,
        cancel_gracefully: true,
        variables: true,
        raw_variables: true,
        multi_build_steps: true,
        return_exit_code: true,
        ...(abilities.twoPhaseCommit ? { two_phase_job_commit: true } : {}),
        ...(abilities.jobInputs ? { job_inputs: true } : {}),
      },
      config: { gpus: '' },
    };
  }
}

interface OutgoingRequest {
  body?: unknown;
  bytes?: Buffer;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
