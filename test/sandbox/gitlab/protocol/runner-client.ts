import type { GitLabWorld, Received } from '../gitlab-world.ts';

const INFO = {
  name: 'gitlab-runner',
  version: '19.3.0',
  revision: 'abcdef12',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
  features: { cancelable: true, cancel_gracefully: true, trace_reset: true },
};

export interface RunnerOptions {
  systemId?: string;
  twoPhase?: boolean;
  version?: string;
}

/** Creates a client with a runner's calls, without a process. */
export function runnerClient(world: GitLabWorld, token: string, options: RunnerOptions = {}) {
  const { systemId, twoPhase = false, version = INFO.version } = options;
  const info = {
    ...INFO,
    version,
    features: { ...INFO.features, two_phase_job_commit: twoPhase },
  };
  const self = { token, ...(systemId === undefined ? {} : { system_id: systemId }) };
  return {
    verify: () => world.call('POST', '/runners/verify', { body: self }),
    request: (lastUpdate?: string) =>
      world.call('POST', '/jobs/request', { body: { ...self, info, last_update: lastUpdate } }),
    update: (job: { id: number; token: string }, state: string, more: object = {}) =>
      world.call('PUT', `/jobs/${job.id}`, { body: { token: job.token, info, state, ...more } }),
    patch: (job: { id: number; token: string }, text: string, start: number): Promise<Received> =>
      world.call('PATCH', `/jobs/${job.id}/trace?debug_trace=false`, {
        body: text,
        headers: {
          'job-token': job.token,
          'content-type': 'text/plain',
          'content-range': `${start}-${start + text.length - 1}`,
        },
      }),
  };
}

export async function register(
  world: GitLabWorld,
  settings: Record<string, unknown> = {},
): Promise<{ id: number; token: string }> {
  const { status, body, text } = await world.call('POST', '/user/runners', {
    token: world.deployer,
    body: { runner_type: 'group_type', group_id: 10, tag_list: ['linux'], ...settings },
  });
  if (status !== 201) throw new Error(text);
  return { id: body.id, token: body.token };
}
