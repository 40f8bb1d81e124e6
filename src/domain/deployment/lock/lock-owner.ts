/** Who took the lock, as a person would ask after them. */
export interface LockOwner {
  readonly deployment: string;
  readonly job: string;
  /** ISO 8601. */
  readonly since: string;
  /** Identity of the process, for proof on the same machine. */
  readonly process: string;
  /** Absent, like all below, in what an old program wrote. */
  readonly by?: string;
  readonly host?: string;
  /** Its URL; absent at a terminal. */
  readonly pipeline?: string;
  readonly stage?: string;
}

/** `anna on build-7, shutdown in job 7001 of https://…/pipelines/200, since 2026-11-02 08:13 UTC`. */
export function describeOwner(owner: LockOwner): string {
  const { stage, since } = owner;
  const work = stage === undefined ? placeOf(owner) : `${stage} ${preposition(owner)}`;
  return [formatActor(owner), work, `since ${shortMoment(since)}`].filter(isKnown).join(', ');
}

function formatActor({ by, host }: LockOwner): string | undefined {
  if (host === undefined || by === undefined || by.endsWith(`@${host}`)) return by;
  return `${by} on ${host}`;
}

function preposition(owner: LockOwner): string {
  return isAtTerminal(owner) ? placeOf(owner) : `in ${placeOf(owner)}`;
}

function placeOf(owner: LockOwner): string {
  const { job, deployment, pipeline } = owner;
  if (isAtTerminal(owner)) return 'at a terminal';
  return `job ${job} of ${pipeline ?? `deployment ${deployment}`}`;
}

/** There a run has no name but its process's. */
function isAtTerminal({ job, process, pipeline }: LockOwner): boolean {
  return pipeline === undefined && job === process;
}

function isKnown(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** To the minute; whatever is no moment is shown as it is. */
function shortMoment(iso: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  return day === undefined ? iso : `${day} ${time} UTC`;
}
