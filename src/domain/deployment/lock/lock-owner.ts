import { formatMinute } from '../../text/duration.ts';

/** Owner of the lock, with the details by which an operator can find it. */
export interface LockOwner {
  readonly deployment: string;
  readonly job: string;
  /** ISO 8601. */
  readonly since: string;
  /** Identity of the process, for a proof on the same machine. */
  readonly process: string;
  /** Absent, like all fields below, in entries of an old version. */
  readonly by?: string;
  readonly host?: string;
  /** URL of the pipeline; absent at a terminal. */
  readonly pipeline?: string;
  readonly stage?: string;
}

/**
 * Formats `anna on build-7 (shutdown in job 7001 of https://…/pipelines/200, since 2026-11-02 08:13
 * UTC)`.
 */
export function describeOwner(owner: LockOwner): string {
  const { stage, since } = owner;
  const work = stage === undefined ? placeOf(owner) : `${stage} ${preposition(owner)}`;
  const from = `since ${formatMinute(since)}`;
  const actor = formatActor(owner);
  return isKnown(actor) ? `${actor} (${work}, ${from})` : `${work} (${from})`;
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

/** Returns whether the run was started at a terminal: its only name is then its process. */
function isAtTerminal({ job, process, pipeline }: LockOwner): boolean {
  return pipeline === undefined && job === process;
}

function isKnown(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
