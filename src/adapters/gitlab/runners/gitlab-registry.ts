import type { RegistrationId, StackShard } from '../../../domain/shard.ts';
import { shardDescription } from '../../../domain/shard.ts';
import type {
  Found,
  ReadAge,
  Registration,
  RunnerRegistry,
  Worker,
} from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { gitlabTerms } from '../gitlab-terms.ts';
import { createJobHistory } from '../jobs/gitlab-job-history.ts';
import { listWaitingJobs } from '../jobs/job-queue.ts';
import { readJobSight } from '../jobs/job-sight.ts';
import {
  createRunnerJobs,
  listBegunRunnerJobs,
  listNewestRunnerJobs,
} from '../jobs/runner-jobs.ts';
import { findRunner, listingOf, type RunnerScope } from '../jobs/visibility.ts';
import { listAll, readOne } from '../list-reader.ts';
import { copyAssignments } from './assignments.ts';
import { readTokenEnding } from './gitlab-token-expiry.ts';
import { mostRunners, queryRunners } from './graphql-runners.ts';
import { createPauseNotes, type PauseNotes, type Pauser } from './pause-note.ts';
import { probeRegistry } from './registry-probe.ts';
import {
  createRegistration,
  lastRefusal,
  probeWrites,
  resetToken,
  retire,
  route,
  setIntake,
} from './registry-writes.ts';
import {
  numberOf,
  type RunnerDetails,
  readDetails,
  runnerManager,
  runnerSummary,
  toRegistration,
} from './rest-runner.ts';
import type { SharedRunners } from './runner-cache.ts';
import { findReachedLimit } from './runner-limit.ts';

export interface GitLabRegistryOptions {
  readonly client: GitLabClient;
  /** Scope of the stack's runners. No runner outside it is listed or created. */
  readonly scope: RunnerScope;
  /** Runners of all stacks of this process. Absent: each runner is read separately. */
  readonly shared?: SharedRunners | undefined;
  /** Named in the notes of the runners that it pauses. Absent: notes stay unchanged. */
  readonly pauser?: Pauser;
}

/** Creates the registry for GitLab, with one runner per shard for any number of managers. */
export function createGitLabRegistry(options: GitLabRegistryOptions): RunnerRegistry {
  const { client, scope, shared } = options;
  const readHistory = createJobHistory(client);
  const runnerJobs = createRunnerJobs(client);
  const notes = options.pauser && createPauseNotes(options.pauser);
  const findNoted = (id: RegistrationId, age?: ReadAge) => find({ ...options, notes }, id, age);
  /** Discards cached responses from before or during the change. */
  async function changing<T>(id: RegistrationId, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      shared?.forget(client, id);
    }
  }
  return {
    traits: {
      registrationsPer: 'shard',
      tokens: 'reusable',
      idleSource: 'counts',
      contactIsLive: false,
      words: gitlabTerms,
    },
    findByShard: (shard, except) => findByShard(options, shard, except),
    find: findNoted,
    create: (request) => createRegistration(client, request),
    route: (id, routing) => changing(id, () => route(client, id, routing)),
    setIntake: (id, intake) =>
      changing(id, () => {
        if (notes === undefined) return setIntake(client, id, intake);
        const change = { id, intake, reread: () => findNoted(id) };
        return notes.write(change, (note) => setIntake(client, id, intake, note));
      }),
    listWorkers: (id) => findRunner(client, scope, () => listWorkers(client, id)),
    listJobs: (id) => findRunner(client, scope, () => runnerJobs.listJobs(id)),
    listFinishedJobs: (id) => findRunner(client, scope, () => runnerJobs.listFinishedJobs(id)),
    listNewestJobs: (id) => findRunner(client, scope, () => listNewestRunnerJobs(client, id)),
    listBegunJobs: (id, systemId) =>
      findRunner(client, scope, () => listBegunRunnerJobs(client, id, systemId)),
    readJobHistory: (id) => findRunner(client, scope, () => readHistory(id)),
    listWaitingJobs: (projects) => listWaitingJobs(client, projects),
    retire: (id) => changing(id, () => retire(client, scope, id)),
    // GitLab removes managers with their runner, busy ones without a warning.
    retireWorkers: async () => [],
    // GitLab accepts every runner version.
    readTokenEnding: (id) => readTokenEnding(client, id),
    readEnding: async () => ({ kind: 'none' }),
    resetToken: (id) => resetToken(client, id),
    readSight: (id) => readJobSight(client, { scope, id }),
    findReachedLimit: () => findReachedLimit(client, scope),
    probeWrites: (id) => probeWrites(client, id),
    lastRefusal: () => lastRefusal(client),
    copyAssignments: (assignment) => copyAssignments(client, scope, assignment),
    probe: (probeScope, ids) => probeRegistry(client, probeScope, ids),
  };
}

async function find(
  { client, scope, shared, notes }: GitLabRegistryOptions & { notes: PauseNotes | undefined },
  id: RegistrationId,
  age: ReadAge | undefined,
): Promise<Found<Registration>> {
  // An invalid id is refused before the query, because it would fail the query for all runners.
  numberOf(id);
  const request = { client, id, query: queryRunners, mostRunners };
  const kept = age && (await shared?.find({ ...request, maxAgeMs: age.mostMs }));
  if (kept !== undefined) return { kind: 'found', value: kept };
  const found = await findRunner(client, scope, async () =>
    toRegistration(await readDetails(client, id)),
  );
  if (found.kind === 'found') notes?.seen(found.value);
  return found;
}

async function findByShard(
  { client, scope }: GitLabRegistryOptions,
  shard: StackShard,
  except: RegistrationId | undefined,
): Promise<readonly Registration[]> {
  const listed = await listAll(client, { ...listingOf(scope), item: runnerSummary });
  const matching = listed.filter(
    ({ id, description }) => description === shardDescription(shard) && String(id) !== except,
  );
  const found: Registration[] = [];
  for (const { id } of matching) {
    const read = () => readDetails(client, String(id) as RegistrationId);
    const details = await findRunner(client, scope, read);
    // The runner was deleted meanwhile, or belongs to a parent group.
    if (details.kind === 'absent' || !isWithin(details.value, scope)) continue;
    found.push(toRegistration(details.value));
  }
  return found;
}

/**
 * Decides whether a runner belongs to the scope. A group's list also contains runners of its parent
 * groups. `groups` only shows groups that the user is a member of. If it is empty, description and
 * type decide. A project's list of this type only contains assigned runners.
 */
function isWithin(details: RunnerDetails, scope: RunnerScope): boolean {
  const groups = details.groups ?? [];
  switch (scope.kind) {
    case 'instance':
      return details.runner_type === 'instance_type';
    case 'group':
      return (
        details.runner_type === 'group_type' &&
        (groups.length === 0 || groups.some((group) => group.id === scope.groupId))
      );
    case 'project':
      return details.runner_type === 'project_type';
  }
}

/** Lists managers. GitLab returns this list without pages. */
async function listWorkers(client: GitLabClient, id: RegistrationId): Promise<readonly Worker[]> {
  const managers = await readOne(client, `runners/${numberOf(id)}/managers`, {
    schema: runnerManager.array(),
  });
  return managers
    .map((manager) => ({
      id: manager.id,
      systemId: manager.system_id,
      version: manager.version ?? '',
      createdAt: manager.created_at,
      execution: manager.job_execution_status,
      ...(manager.contacted_at ? { contactedAt: manager.contacted_at } : {}),
    }))
    .sort((one, other) => one.id - other.id);
}
