import { findGroup, groupCalled } from './groups.ts';
import { digest, type Instance } from './instance.ts';
import { invalid, notFound, Refusal } from './refusal.ts';
import { type JobRow, OFFLINE_AFTER_MS, type RunnerRow } from './state.ts';
import { livingVersion } from './versions.ts';

/** Data of a runner's host for its registration. */
export interface Arrival {
  token: string;
  name: string;
  labels: string[];
  ownLabels?: string[];
  /** Name of the group. Default: GitHub's default group. */
  group?: string;
  ephemeral?: boolean;
  version?: string;
  /** Replaces an idle runner of the same name, like `config.sh --replace`. */
  replace?: boolean;
}

/** Request for a runner that is created before its host exists. */
export interface JustInTime {
  name: string;
  labels: string[];
  groupId: number;
}

/** Oldest version that may register (2026). An Enterprise Server has no such limit. */
const oldestMinor = 329;

/** Registers a runner and returns the credential for its connection, once. */
export function register(instance: Instance, arrival: Arrival): { id: number; credential: string } {
  const { state } = instance;
  const known = state.registrationTokens.find((one) => one.digest === digest(arrival.token));
  if (known === undefined || known.expiresAt <= instance.now()) throw notFound();
  const [, minor] = /^2\.(\d+)\./.exec(arrival.version ?? '') ?? [];
  if (minor !== undefined && Number(minor) < oldestMinor)
    throw new Refusal(404, 'RUNNER UPDATE REQUIRED');
  const old = state.runners.find(({ name }) => name === arrival.name);
  if (old !== undefined && arrival.replace === true && jobOf(instance, old) === undefined)
    return replaceRunner(instance, old, arrival);
  return arrive(instance, arrival);
}

function arrive(instance: Instance, arrival: Arrival): { id: number; credential: string } {
  const groupId = groupCalled(instance, arrival.group).id;
  return addRunner(instance, { ...arrival, groupId, lastSeenAt: instance.now() });
}

/**
 * Replaces a runner. The new one keeps the id and gets a new key and new labels. The old labels
 * remain for a while.
 */
function replaceRunner(
  instance: Instance,
  old: RunnerRow,
  arrival: Arrival,
): { id: number; credential: string } {
  const formerLabels = [...new Set([...(old.formerLabels ?? []), ...old.labels])];
  forget(instance, old);
  const { credential } = arrive(instance, arrival);
  const added = instance.state.runners.at(-1);
  if (added !== undefined) Object.assign(added, { id: old.id, formerLabels });
  instance.changed();
  return { id: old.id, credential };
}

/** Creates a runner before its host exists: offline, ephemeral and completely configured. */
export function justInTime(
  instance: Instance,
  { name, labels, groupId }: JustInTime,
): { runner: object; encodedJitConfig: string } {
  findGroup(instance, groupId);
  const arrival = { name, labels, groupId, ephemeral: true, lastSeenAt: 0 };
  const { id, credential } = addRunner(instance, arrival);
  const runner = showRunner(instance, findRunner(instance, id));
  const encodedJitConfig = Buffer.from(JSON.stringify({ name, credential })).toString('base64');
  return { runner, encodedJitConfig };
}

function addRunner(
  instance: Instance,
  arrival: Omit<Arrival, 'token'> & { groupId: number; lastSeenAt: number },
): { id: number; credential: string } {
  const { state } = instance;
  if (state.runners.some(({ name }) => name === arrival.name)) {
    throw new Refusal(
      409,
      `Already exists - A runner with the name ${arrival.name} already exists.`,
    );
  }
  const credential = `ghr_${instance.random.hex(18)}`;
  const id = instance.nextId('runner');
  state.runners.push({
    id,
    name: arrival.name,
    credentialDigest: digest(credential),
    labels: [...arrival.labels],
    ownLabels: [...(arrival.ownLabels ?? [])],
    groupId: arrival.groupId,
    ephemeral: arrival.ephemeral ?? false,
    version: arrival.version ?? livingVersion,
    lastSeenAt: arrival.lastSeenAt,
    registeredAt: instance.now(),
  });
  instance.changed();
  return { id, credential };
}

export function registrationToken(instance: Instance): { token: string; expiresAt: number } {
  const token = `A${instance.random.hex(14).toUpperCase()}`;
  const expiresAt = instance.now() + 3_600_000;
  instance.state.registrationTokens.push({ digest: digest(token), expiresAt });
  instance.changed();
  return { token, expiresAt };
}

/**
 * Removes a runner. A runner that GitHub knows as busy is refused, with one of GitHub's two
 * messages. If GitHub has not noticed its job, or no longer shows it, the runner is removed and its
 * listener cancels the job.
 */
export function removeRunner(instance: Instance, id: number): void {
  const runner = findRunner(instance, id);
  if (isShownBusy(instance, runner)) {
    throw invalid(
      id % 2 === 0
        ? `Bad request - Runner "${runner.name}" is still running a job"`
        : `Runner "${runner.name}" is currently running a job and cannot be deleted.`,
    );
  }
  const job = jobOf(instance, runner);
  if (job !== undefined) settle(instance, job, 'cancelled');
  forget(instance, runner);
}

/**
 * Decides whether GitHub shows a runner as busy. GitHub shows a job only after a minute, hides a
 * long job for some minutes in its middle, and shows it for a while after its end.
 */
function isShownBusy({ state, now, windows }: Instance, runner: RunnerRow): boolean {
  return state.jobs.some(({ runnerId, status, startedAt, completedAt }) => {
    if (runnerId !== runner.id || startedAt === null) return false;
    const ageMs = now() - startedAt;
    if (status === 'completed')
      return (
        (completedAt ?? 0) - startedAt >= windows.busyLagMs &&
        now() - (completedAt ?? 0) < windows.busyLagMs
      );
    const isLostSight = ageMs >= 5 * windows.busyLagMs && ageMs < 8 * windows.busyLagMs;
    return status === 'in_progress' && ageMs >= windows.busyLagMs && !isLostSight;
  });
}

export function settle(instance: Instance, job: JobRow, conclusion: JobRow['conclusion']): void {
  job.status = 'completed';
  job.conclusion = conclusion;
  job.completedAt = instance.now();
  instance.changed();
}

export function forget(instance: Instance, runner: RunnerRow): void {
  instance.state.runners.splice(instance.state.runners.indexOf(runner), 1);
  instance.changed();
}

/** Removes absent runners without a message. A listener notices it at its next connection. */
export function forgetAbsent(instance: Instance): void {
  const { state, now, windows } = instance;
  const isAbsent = ({ ephemeral, lastSeenAt, registeredAt }: RunnerRow) =>
    now() - Math.max(lastSeenAt, registeredAt) >=
    (ephemeral ? windows.absentEphemeralMs : windows.absentMs);
  for (const one of state.runners.filter(isAbsent)) forget(instance, one);
}

export function findRunner({ state }: Instance, id: number): RunnerRow {
  const runner = state.runners.find((one) => one.id === id);
  if (runner === undefined) throw notFound();
  return runner;
}

export function jobOf({ state }: Instance, runner: RunnerRow): JobRow | undefined {
  return state.jobs.find(
    ({ status, runnerId }) => status === 'in_progress' && runnerId === runner.id,
  );
}

export function showRunner(instance: Instance, runner: RunnerRow): object {
  const { id, name, labels, ownLabels, groupId, ephemeral, version } = runner;
  return {
    id,
    name,
    os: 'linux',
    status: instance.now() - runner.lastSeenAt < OFFLINE_AFTER_MS ? 'online' : 'offline',
    busy: isShownBusy(instance, runner),
    ephemeral,
    // GitHub learns the version with the first contact.
    version: runner.lastSeenAt === 0 ? null : version,
    runner_group_id: groupId,
    labels: [
      ...ownLabels.map((label, index) => ({ id: index + 1, name: label, type: 'read-only' })),
      ...labels.map((label, index) => ({ id: index + 100, name: label, type: 'custom' })),
    ],
  };
}
