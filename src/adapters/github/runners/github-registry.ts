import type { GitHubScope, RunnerGroups } from '../../../domain/settings.ts';
import type { RegistrationId, StackShard } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import type {
  Found,
  NewRegistration,
  Registration,
  RunnerRegistry,
} from '../../../ports/registry.ts';
import type { GitHubClient } from '../github-client.ts';
import { githubTerms } from '../github-terms.ts';
import {
  createFleets,
  effectiveLabels,
  type Fleet,
  type FleetParameters,
  type Fleets,
} from './fleet.ts';
import { clearPauseMarker, intakeOf, withPausedRunners } from './fleet-intake.ts';
import { probeRunners } from './github-probe.ts';
import { createVersionExpiry } from './github-version-expiry.ts';
import { jobLists, refusedByGitHub } from './job-lists.ts';
import { jobsOf } from './jobs.ts';
import { anywhere, createPlacements, type Placement, type Placements } from './placement.ts';
import { retireFleet, retireWorkers } from './runner-deletion.ts';
import { quarantineOf } from './runner-groups.ts';
import { labelsOf, refuseOwnLabels, sameLabels, sharedLabels } from './runner-labels.ts';
import {
  createRegistrationToken,
  type GitHubRunner,
  listRunners,
  setLabels,
  toWorker,
} from './runners.ts';
import { isRunnerOf, registrationOf } from './scope.ts';

export interface GitHubRegistryOptions {
  readonly client: GitHubClient;
  readonly clock: Clock;
  readonly scope: GitHubScope;
  readonly groups: RunnerGroups;
  /** Label of the canary. A shard with only this label is in quarantine. */
  readonly canaryLabel: string;
  readonly fleets: FleetParameters;
  /** `owner/name`, if the canary is a workflow. */
  readonly canaryRepository?: string;
}

/** Creates the registry for GitHub. The stages treat all runners of a shard as one. */
export function createGitHubRegistry(given: GitHubRegistryOptions): RunnerRegistry {
  const { client, scope, groups, canaryRepository } = given;
  const fleets = createFleets(given.fleets, given.clock);
  const options = { ...given, fleets, placements: createPlacements(client, scope, groups) };
  return {
    traits: {
      registrationsPer: 'worker',
      tokens: 'expiring',
      idleSource: 'proves_nothing',
      contactIsLive: true,
      words: githubTerms,
    },
    findByShard: async (shard, except) =>
      (await findByShard(options, shard)).filter(({ id }) => id !== except),
    find: (id) => find(options, id),
    create: (request) => create(options, request),
    route: async (id, { tags, runUntagged }) => {
      if (runUntagged)
        throw refusedByGitHub(
          `runners of ${id}`,
          'GitHub gives a job that names labels to a runner that has them all',
        );
      await change(options, id, { labels: tags, group: groupFor(options, tags) });
    },
    setIntake: (id, intake) => change(options, id, { intake }),
    listWorkers: async (id) => {
      const shard = await findView(options, id);
      if (shard === undefined) return { kind: 'absent' };
      return {
        kind: 'found',
        value: shard.runners.map((one) => toWorker(one, options.clock.now())),
      };
    },
    listJobs: async (id) => {
      const shard = await findView(options, id);
      if (shard === undefined) return { kind: 'absent' };
      return {
        kind: 'found',
        value: await jobsOf({
          client,
          scope,
          runners: shard.runners,
          ...(canaryRepository === undefined ? {} : { canaryRepository }),
        }),
      };
    },
    ...jobLists,
    retireWorkers: (id, workers) =>
      retireWorkers({ client, scope, clock: options.clock, workers }, id),
    retire: (id) => retireFleet({ client, scope, fleets }, id),
    resetToken: async (id) => {
      await known(options, id);
      return { token: await createRegistrationToken(client, scope) };
    },
    // A GitHub runner belongs to its whole scope.
    copyAssignments: async () => ({ added: 0, hidden: 0 }),
    readSight: async (id) => {
      const found = await find(options, id);
      const execution = found.kind === 'found' ? found.value.execution : 'idle';
      const reason = 'GitHub reports for each runner whether it is busy';
      return { list: 'whole', reason, execution, hiddenMs: 0 };
    },
    // GitHub does not report the expiry of a registration token. Its age decides.
    readTokenEnding: async () => ({ kind: 'unknown' }),
    readEnding: createVersionExpiry(client, scope),
    // GitHub allows 10,000 runners per group, far more than a stack has.
    findReachedLimit: async () => undefined,
    probeWrites: async () => ({ kind: 'unknown' }),
    lastRefusal: () => undefined,
    probe: () => probeRunners(client, scope, { groups, canaryRepository }),
  };
}

interface Options extends Omit<GitHubRegistryOptions, 'fleets'> {
  readonly fleets: Fleets;
  readonly placements: Placements;
}

interface FleetView {
  readonly fleet: Fleet;
  readonly placement: Placement;
  readonly runners: readonly GitHubRunner[];
}

/** Reads a shard's fleet and runners. Runners without a fleet also belong to the shard. */
async function findView(
  { client, scope, groups, fleets, placements }: Options,
  id: RegistrationId,
): Promise<FleetView | undefined> {
  const written = await fleets.find(id);
  const runners = (await listRunners(client, scope))
    .filter(({ name }) => isRunnerOf(name, id))
    .sort((one, other) => one.id - other.id);
  if (written === undefined && runners.length === 0) return undefined;
  if (written === undefined)
    return { fleet: unwritten(runners, groups), runners, placement: anywhere };
  return { fleet: written, runners, placement: await placements.of(written) };
}

function unwritten(runners: readonly GitHubRunner[], { production: group }: RunnerGroups): Fleet {
  return {
    schema: 1,
    labels: sharedLabels(runners.map(labelsOf)),
    intake: 'open',
    group,
    note: '',
  };
}

async function findByShard(options: Options, shard: StackShard): Promise<readonly Registration[]> {
  const found = await find(options, registrationOf(shard));
  return found.kind === 'found' ? [found.value] : [];
}

async function find(options: Options, id: RegistrationId): Promise<Found<Registration>> {
  const shard = await findView(options, id);
  return shard === undefined
    ? { kind: 'absent' }
    : { kind: 'found', value: toRegistration(id, shard, isAstray(options, shard.fleet)) };
}

/**
 * Combines the labels of all runners and the fleet. A runner that differs still has to be changed.
 * A runner in another group counts as without labels, because its jobs may come from elsewhere.
 */
function toRegistration(
  id: RegistrationId,
  { fleet, runners, placement }: FleetView,
  astray: boolean,
): Registration {
  const runnerLabels = runners.map((one) => (placement.isThere(one) ? labelsOf(one) : []));
  const differs = runnerLabels.some((labels) => !sameLabels(labels, effectiveLabels(fleet)));
  const open = astray ? [] : differs ? sharedLabels(runnerLabels) : fleet.labels;
  return {
    id,
    description: id,
    note: fleet.note,
    ...intakeOf({ fleet, runners, placement }),
    tags: fleet.intake === 'open' ? open : fleet.labels,
    runUntagged: false,
    contacted: runners.some(({ status }) => status === 'online'),
    execution: runners.some(({ busy }) => busy) ? 'active' : 'idle',
  };
}

async function create(
  { client, scope, groups, fleets }: Options,
  { shard, tags, note }: NewRegistration,
): Promise<{ id: RegistrationId; token: string }> {
  const id = registrationOf(shard);
  const group = quarantineOf(groups);
  const fleet: Fleet = { schema: 1, labels: [...tags], intake: 'open', group, note };
  await fleets.write(id, fleet);
  return { id, token: await createRegistrationToken(client, scope) };
}

/** Chooses the group: production, unless the shard has only the canary's label. */
function groupFor({ groups, canaryLabel }: Options, labels: readonly string[]): string {
  return isCanaryAlone(labels, canaryLabel) ? quarantineOf(groups) : groups.production;
}

function isCanaryAlone(labels: readonly string[], canaryLabel: string): boolean {
  return labels.length === 1 && labels[0] === canaryLabel;
}

/** Detects a quarantine fleet in another group, whose hosts would get customer jobs. */
function isAstray({ groups, canaryLabel }: Options, { labels, group }: Fleet): boolean {
  if (groups.apart === undefined || !isCanaryAlone(labels, canaryLabel)) return false;
  return group !== groups.apart.quarantine;
}

/**
 * Changes a fleet and its runners. The fleet is written first, for runners that boot meanwhile.
 * `closedUpTo` is written last: after a crash, the runners count as not yet paused.
 */
async function change(
  options: Options,
  id: RegistrationId,
  wish: Partial<Pick<Fleet, 'labels' | 'intake' | 'group'>>,
): Promise<void> {
  const { fleet, runners } = await known(options, id);
  const before = wish.intake === 'open' ? clearPauseMarker(fleet) : fleet;
  const wished = { ...before, ...wish };
  await options.fleets.write(id, wished);
  const labels = effectiveLabels(wished);
  const placement = await options.placements.of(wished);
  for (const one of runners) {
    refuseOwnLabels(one, labels);
    if (!sameLabels(labelsOf(one), labels))
      await setLabels(options.client, options.scope, { id: one.id, labels });
    if (!placement.isThere(one)) await placement.move(one);
  }
  const reached = wished.intake === 'closed' ? withPausedRunners(wished, runners) : wished;
  if (reached !== wished) await options.fleets.write(id, reached);
}

async function known(options: Options, id: RegistrationId): Promise<FleetView> {
  const shard = await findView(options, id);
  if (shard !== undefined) return shard;
  throw refusedByGitHub(`runners of ${id}`, 'no runner exists, and no data of them is stored');
}
