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
import { intakeOf, openedAgain, withPausedRunners } from './fleet-intake.ts';
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
  /** A shard that has this label alone is in quarantine. */
  readonly canaryLabel: string;
  readonly fleets: FleetParameters;
  /** `owner/name`, where the canary is a workflow. */
  readonly canaryRepository?: string;
}

/** GitHub's runners: one for each worker. All of a shard are one registration to the stages. */
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
      const shard = await lookAt(options, id);
      if (shard === undefined) return { kind: 'absent' };
      return {
        kind: 'found',
        value: shard.runners.map((one) => toWorker(one, options.clock.now())),
      };
    },
    listJobs: async (id) => {
      const shard = await lookAt(options, id);
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
    // A runner of GitHub belongs to its scope as a whole.
    copyAssignments: async () => ({ added: 0, hidden: 0 }),
    readSight: async (id) => {
      const found = await find(options, id);
      const execution = found.kind === 'found' ? found.value.execution : 'idle';
      const reason = 'GitHub says of each runner whether it is busy';
      return { list: 'whole', reason, execution, hiddenMs: 0 };
    },
    // Of a token for registering nobody says when it ends; its age does.
    readTokenEnding: async () => ({ kind: 'unknown' }),
    readEnding: createVersionExpiry(client, scope),
    // GitHub allows 10,000 runners of a group, which no stack comes near.
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

/** Runners without a fleet are a shard's, too: somebody registered them, or its parameter was lost. */
async function lookAt(
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
  const shard = await lookAt(options, id);
  return shard === undefined
    ? { kind: 'absent' }
    : { kind: 'found', value: toRegistration(id, shard, isAstray(options, shard.fleet)) };
}

/**
 * What all runners agree on with what they are to be; one that differs has still to be changed. Whoever
 * is in another group is not where the jobs of its labels are sure to come from.
 */
function toRegistration(
  id: RegistrationId,
  { fleet, runners, placement }: FleetView,
  astray: boolean,
): Registration {
  const served = runners.map((one) => (placement.isThere(one) ? labelsOf(one) : []));
  const differs = served.some((labels) => !sameLabels(labels, effectiveLabels(fleet)));
  const open = astray ? [] : differs ? sharedLabels(served) : fleet.labels;
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

/** A shard that takes more than the canary is the customers'. */
function groupFor({ groups, canaryLabel }: Options, labels: readonly string[]): string {
  return isCanaryAlone(labels, canaryLabel) ? quarantineOf(groups) : groups.production;
}

function isCanaryAlone(labels: readonly string[], canaryLabel: string): boolean {
  return labels.length === 1 && labels[0] === canaryLabel;
}

/** Described before there were groups: its hosts would register where customers' jobs reach them. */
function isAstray({ groups, canaryLabel }: Options, { labels, group }: Fleet): boolean {
  if (groups.apart === undefined || !isCanaryAlone(labels, canaryLabel)) return false;
  return group !== groups.apart.quarantine;
}

/**
 * The wish first, so that a runner that boots in between takes the new labels; how far it is closed last, so
 * that what is left by a run that dies counts as still to be closed.
 */
async function change(
  options: Options,
  id: RegistrationId,
  wish: Partial<Pick<Fleet, 'labels' | 'intake' | 'group'>>,
): Promise<void> {
  const { fleet, runners } = await known(options, id);
  const before = wish.intake === 'open' ? openedAgain(fleet) : fleet;
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
  const shard = await lookAt(options, id);
  if (shard !== undefined) return shard;
  throw refusedByGitHub(`runners of ${id}`, 'there are none, and nothing is written of them');
}
