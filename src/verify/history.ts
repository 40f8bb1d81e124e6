import type { Judge } from './judge.ts';

/** History of the observed systems; available only for a model or a sandbox. */
export interface WorldHistory {
  /** Entries in order of time. */
  readonly entries: readonly WorldEntry[];
  /** Shards that accept jobs, at each change. */
  readonly accepting: readonly { readonly at: number; readonly shards: readonly string[] }[];
  /** All tokens that were ever created. */
  readonly tokens: readonly string[];
  /** Names as `{shard}-{runner}` of the stacks that the deployment may change. */
  readonly ownShards: readonly string[];
  readonly mayKill: boolean;
  /** Whether this machine was suspended for a while, which explains a gap. */
  readonly stoodStill?: boolean;
  /** Absent while the deployment runs. */
  readonly rest?: WorldAtRest;
}

export interface WorldEntry {
  readonly at: number;
  readonly kind: string;
  readonly byUs: boolean;
  /** Affected shard as `{shard}-{runner}`. */
  readonly of?: string;
  readonly job?: string;
  /** Affected customer jobs. */
  readonly jobs?: readonly string[];
  readonly active?: string;
  /**
   * Active shard as a check just before could see it: an edit between check and effect is
   * invisible.
   */
  readonly wasVisible?: string;
  readonly production?: boolean;
}

export interface WorldAtRest {
  readonly active: string | undefined;
  readonly infrastructure: readonly string[];
  readonly registrations: readonly string[];
  readonly tokens: readonly string[];
  readonly locked: boolean;
  readonly canaries: number;
  readonly hosts: readonly { readonly of: string; readonly managed: boolean }[];
  readonly processes: number;
  /** Files that contain a secret. */
  readonly secretFiles: readonly string[];
  readonly phase: string;
}

const takesAway = new Set([
  'registration_removed',
  'host_terminated',
  'process_killed',
  'token_reset',
]);

export function checkHistory(world: WorldHistory, judge: Judge): void {
  for (const [index, { at, shards }] of world.accepting.entries()) {
    // Before a first deployment, no shard accepts jobs anyway.
    const wasAccepting = index > 0 && world.accepting[index - 1]?.shards.length !== 0;
    judge.expect('S1', shards.length > 0 || !wasAccepting, `at ${time(at)} no shard accepted jobs`);
  }
  for (const entry of world.entries) judgeEntry(world, entry, judge);
  judgeJobs(world, judge);
  if (world.rest !== undefined) judgeAtRest(world.rest, judge);
}

function judgeEntry(
  { mayKill, ownShards: owned }: WorldHistory,
  entry: WorldEntry,
  judge: Judge,
): void {
  if (!entry.byUs) return;
  const { kind, of, jobs = [], at } = entry;
  const isActive = entry.active === of && (entry.wasVisible ?? of) === of;
  const what = `at ${time(at)} ${kind} of ${of}`;
  if (of !== undefined)
    judge.expect('S15', owned.includes(of), `${what}, which does not belong to hosted-runner`);
  if (takesAway.has(kind)) {
    const allowed = kind === 'process_killed' && mayKill;
    judge.expect('S2', jobs.length === 0 || allowed, `${what} under job ${jobs.join(', ')}`);
  }
  if (kind === 'intake_closed') judge.expect('S10', !isActive, `${what}, which is active`);
  if (kind === 'applied') {
    judge.expect('S6', !isActive, `${what}, which is active`);
    judge.expect('S6', entry.production !== true, `${what}, which has production tags`);
  }
  if (kind === 'destroyed') judge.expect('S7', !isActive, `${what}, which is active`);
}

function judgeJobs({ entries, mayKill }: WorldHistory, judge: Judge): void {
  const running = new Set<string>();
  for (const { kind, job, at } of entries) {
    if (job === undefined) continue;
    if (kind === 'job_started') {
      judge.expect('S3', !running.has(job), `at ${time(at)} job ${job} was started again`);
      running.add(job);
    }
    if (kind === 'job_requeued') running.delete(job);
    if (kind === 'job_interrupted_by_us')
      judge.violated('S3', `at ${time(at)} job ${job} was interrupted`);
    if (kind === 'job_forced')
      judge.expect('S3', mayKill, `at ${time(at)} job ${job} was killed without permission`);
  }
}

function judgeAtRest(rest: WorldAtRest, judge: Judge): void {
  const { active } = rest;
  const others = (list: readonly string[]) => list.filter((one) => one !== active).join(', ');
  const only = (list: readonly string[]) => list.length === 1 && list[0] === active;
  judge.expect(
    'O1',
    only(rest.infrastructure),
    `infrastructure of ${rest.infrastructure.join(', ') || 'nothing'}, but ${active} is active`,
  );
  judge.expect(
    'O2',
    only(rest.registrations),
    `registrations of ${rest.registrations.join(', ') || 'nothing'}, but ${active} is active`,
  );
  judge.expect('O3', others(rest.tokens) === '', `the token of ${others(rest.tokens)}`);
  judge.expect('O4', !rest.locked, 'the lock');
  judge.expect('O5', rest.canaries === 0, `${rest.canaries} canaries`);
  const unmanaged = rest.hosts.filter(({ managed }) => !managed).map(({ of }) => of);
  judge.expect('O6', unmanaged.length === 0, `a host of ${unmanaged.join(', ')} in no state`);
  judge.expect('O7', rest.secretFiles.length === 0, rest.secretFiles.join(', '));
  judge.expect('O8', rest.processes === 0, `${rest.processes} processes`);
  judge.expect('O9', rest.phase === 'done', `the record is ${rest.phase}`);
  judge.expect(
    'L1',
    rest.phase === 'done',
    `all stages ran again, but the record is ${rest.phase}`,
  );
  judge.expect(
    'O10',
    others(rest.hosts.map(({ of }) => of)) === '',
    `a host of ${others(rest.hosts.map(({ of }) => of))}`,
  );
}

function time(at: number): string {
  return new Date(at).toISOString();
}
