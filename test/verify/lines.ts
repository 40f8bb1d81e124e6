/** Event that a run would write, created without the product. */
export type Event = Readonly<Record<string, unknown>>;

export const prefix = '/gitlab/dedicated/runner/linux/';
export const statusName = `${prefix}deployment_status`;
export const recordName = `${prefix}deployment_record`;
export const lockName = `${prefix}deployment_lock`;

export function head(changes: Event = {}): Event {
  return {
    kind: 'run',
    schema: 1,
    command: 'provision',
    deployment: '1-200',
    pipeline_created_at: '2026-11-02T10:00:00.000Z',
    ci: 'gitlab',
    job: '7001',
    stack: {
      runner_name: 'linux',
      shards: ['pink', 'purple'],
      parameter_prefix: prefix,
      tags: ['linux'],
      run_untagged: false,
      evidence: { instance: 'required', manager: 'required', canary: 'required' },
      may_kill_jobs: false,
    },
    ...changes,
  };
}

let calls = 0;

/** Returns the beginning and the end of an effect with a response. */
export function effect(call: string, args: readonly unknown[], answer?: unknown): Event[] {
  calls += 1;
  const c = calls;
  return [
    { kind: 'begin', c, call, args },
    { kind: 'call', c, call, effect: true, args, outcome: 'answered', answer },
  ];
}

export function read(call: string, args: readonly unknown[], answer?: unknown): Event {
  calls += 1;
  return { kind: 'call', c: calls, call, effect: false, args, outcome: 'answered', answer };
}

export function unanswered(call: string, args: readonly unknown[]): Event {
  calls += 1;
  const error = 'PortFailure: GitLab: connection reset';
  const failed = { outcome: 'rejected', failure: 'unreachable', error };
  return { kind: 'call', c: calls, call, effect: false, args, ...failed };
}

export const end = (changes: Event = {}): Event => ({
  kind: 'end',
  outcome: 'done',
  exit_code: 0,
  summary: [],
  ...changes,
});

export const failed = (changes: Event = {}): Event =>
  end({
    outcome: 'error',
    exit_code: 1,
    code: 'HealthcheckTimedOut',
    why: ['no manager'],
    now: 'purple serves jobs.',
    fix: ['hosted-runner provision --runner linux'],
    ...changes,
  });

export function status(active: string, version = 1): Event {
  return read('parameters.find', [statusName], { value: statusText(active), version });
}

export function statusText(active: string): string {
  const inactive = active === 'pink' ? 'purple' : 'pink';
  return JSON.stringify({ active_shard: active, inactive_shard: inactive });
}

/** Returns a record with pink as the candidate and purple retiring. */
export function recordText(phase: string, changes: Event = {}, pink: Event = {}): string {
  return JSON.stringify({
    schema: 1,
    deployment: {
      id: '1-200',
      kind: 'deploy',
      pipeline_created_at: '2026-11-02T10:00:00.000Z',
      candidate: 'pink',
      retiring: 'purple',
      phase,
      started_at: '2026-11-02T10:00:00.000Z',
      ...changes,
    },
    shards: {
      pink: {
        registration: '2',
        production_tag: false,
        evidence: { at: '2026-11-02T10:20:00.000Z' },
        last_apply: { at: '2026-11-02T10:10:00.000Z', added: 3, changed: 0, destroyed: 0 },
        ...pink,
      },
      purple: { registration: '1', production_tag: true },
    },
  });
}

export function record(phase: string, changes: Event = {}, pink: Event = {}): Event {
  const value = recordText(phase, changes, pink);
  return read('parameters.find', [recordName], { value, version: 5 });
}

export function runner(id: string, changes: Event = {}): Event {
  const description = id === '1' ? 'purple-linux' : 'pink-linux';
  const value = { id, description, paused: false, contacted: true, tags: ['linux'], ...changes };
  return read('registry.find', [id], { kind: 'found', value: { runUntagged: false, ...value } });
}

export const jobs = (id: string, ...list: Event[]) =>
  read('registry.listJobs', [id], { kind: 'found', value: list });

/** Returns the lines of one run, a second apart. */
export function run(id: string, ...events: readonly (Event | readonly Event[])[]): string[] {
  return events.flat().map((event, index) => {
    const at = new Date(Date.parse('2026-11-02T10:30:00Z') + index * 1000).toISOString();
    return JSON.stringify({ at, ms: index * 1000, run: id, n: index + 1, ...event });
  });
}

export function file(...runs: readonly string[][]): string {
  return `${runs.flat().join('\n')}\n`;
}
