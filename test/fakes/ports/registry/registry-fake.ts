import type { Execution } from '../../../../src/domain/registration.ts';
import { type RegistrationId, shardDescription } from '../../../../src/domain/shard.ts';
import { PortFailure } from '../../../../src/ports/failure.ts';
import type { Found, Registration, RunnerRegistry } from '../../../../src/ports/registry.ts';
import { iso } from '../../clock/virtual-clock.ts';
import { closeLatecomers, isLeftOpen, letHostsRegister } from '../../hosts/registering.ts';
import { aliveJobs, listedJobs, removeRunner, traitsOf } from '../../hosts/runner-removal.ts';
import { gitlabHas } from '../../world/gitlab-version.ts';
import { registrationOfLive, wakeManagers } from '../../world/jobs.ts';
import type { RegistrationState, World } from '../../world/world.ts';
import { executionInRest, executionOf } from '../execution.ts';
import { waitingJobs } from '../waiting-jobs.ts';
import {
  begunJobs,
  finishedJobs,
  jobHistory,
  newestJobs,
  refuseOfGitHub,
  shownJobs,
} from './finished-jobs.ts';
import { addRegistration, tokenBeside, tokenOfNow, writeFleet } from './registration-writes.ts';
import { shownWorker } from './shown-worker.ts';

/**
 * Creates GitLab's runners with its special behaviour: pausing, tags, removal, visibility,
 * execution.
 */
export function createRegistryFake(world: World): RunnerRegistry {
  const read = (id: string) => world.registrations[id];

  /**
   * Maintenance that a write met. The write succeeds as if a stage had waited for its end, and the
   * adapter reports it.
   */
  let met: { detail: string; at: number } | undefined;
  const meet = ({ readOnly } = world.behaviour) => {
    if (readOnly !== undefined) met = { detail: readOnly, at: world.now };
  };

  function change(id: string, body: () => void): void {
    meet();
    if (read(id) === undefined) throw refused(`PUT /runners/${id}`, 404, '404 Not found');
    body();
    wakeManagers(world);
  }

  return {
    traits: traitsOf(world),
    async findByShard(shard, except) {
      const description = shardDescription(shard);
      const all = Object.values(world.registrations).filter(({ id }) => id !== except);
      return all.filter((one) => one.description === description).map((one) => shown(world, one));
    },
    async find(id) {
      return found(read(id), (registration) => shown(world, registration));
    },
    async create(request) {
      meet();
      refuseEmpty('POST /user/runners', request.tags, false);
      return world.behaviour.runners === undefined
        ? addRegistration(world, request)
        : writeFleet(world, request);
    },
    async route(id, { tags, runUntagged }) {
      change(id, () => {
        refuseEmpty(`PUT /runners/${id}`, tags, runUntagged);
        const registration = read(id) as RegistrationState;
        registration.tags = [...tags];
        registration.runUntagged = runUntagged;
        const { description } = registration;
        world.history.push({
          at: world.now,
          kind: 'registration_routed',
          id,
          description,
          tags: [...tags],
        });
      });
    },
    async setIntake(id, to) {
      change(id, () => {
        const registration = read(id) as RegistrationState;
        if (to === 'closed' && !registration.paused) registration.pausedAt = world.now;
        registration.paused = to === 'closed';
        closeLatecomers(registration);
        const { description } = registration;
        world.history.push({ at: world.now, kind: 'intake_set', id, description, to });
        letHostsRegister(world);
      });
    },
    async listWorkers(id) {
      return found(read(id), ({ managers }) =>
        managers.map((manager) => shownWorker(world, id, manager)),
      );
    },
    listJobs: async (id) => found(read(id), () => shownJobs(world, id)),
    listFinishedJobs: async (id) => {
      refuseOfGitHub(world, id);
      return found(read(id), () => finishedJobs(world, id));
    },
    listNewestJobs: async (id) => {
      refuseOfGitHub(world, id);
      return found(read(id), () => newestJobs(world, id));
    },
    listBegunJobs: async (id, systemId) => {
      refuseOfGitHub(world, id);
      return found(read(id), () => begunJobs(world, id, systemId));
    },
    readJobHistory: async (id) => {
      refuseOfGitHub(world, id);
      return found(read(id), () => jobHistory(world, id));
    },
    listWaitingJobs: async (projects) => waitingJobs(world, projects),
    async retire(id) {
      const registration = read(id);
      if (registration === undefined) return 'absent';
      const { description } = registration;
      const jobs = aliveJobs(world, id).map((job) => job.id);
      if (world.behaviour.runners !== undefined && registration.managers.length > 0) return 'busy';
      delete world.registrations[id];
      world.history.push({ at: world.now, kind: 'registration_removed', id, description, jobs });
      return 'retired';
    },
    async retireWorkers(id, workers) {
      const registration = read(id);
      if (world.behaviour.runners === undefined || registration === undefined) return [];
      return registration.managers
        .filter((manager) => workers.includes(manager.id))
        .map((manager) => removeRunner(world, { registration, manager }));
    },
    async resetToken(id) {
      const registration = read(id);
      if (registration === undefined) {
        throw refused(`POST /runners/${id}/reset_authentication_token`, 404, '404 Not found');
      }
      // GitHub creates an additional registration token. Registered runners do not depend on it.
      if (world.behaviour.runners !== undefined) return { token: tokenBeside(world, registration) };
      const jobs = aliveJobs(world, id).map((job) => job.id);
      const live = Object.values(world.hosts).some(
        (host) => registrationOfLive(world, host)?.id === id,
      );
      const { description } = registration;
      const renewed = tokenOfNow(world);
      Object.assign(registration, renewed);
      world.history.push({ at: world.now, kind: 'token_reset', id, description, jobs, live });
      return renewed;
    },
    async copyAssignments({ from, to, locked }) {
      const [source, target] = [read(from ?? to), read(to)];
      if (source === undefined || target === undefined) {
        throw refused(`POST /projects/:id/runners`, 404, '404 Not found');
      }
      const missing = source.projects.filter((project) => !target.projects.includes(project));
      target.projects.push(...missing);
      if (locked) target.locked = true;
      return { added: missing.length, hidden: 0 };
    },
    async readSight(id) {
      const execution = executionOfSight(world, id);
      const hiddenMs = gitlabHas(world, 'cancelingEndsSooner') ? 1_800_000 : 3_600_000;
      return world.behaviour.jobsVisible
        ? { list: 'whole', reason: 'deployer is an administrator', execution, hiddenMs }
        : {
            list: 'unproven',
            reason: 'the token may be unable to see the jobs of every project',
            execution,
            hiddenMs,
          };
    },
    async readTokenEnding(id) {
      const at = read(id)?.expiresAt;
      if (at === undefined || world.behaviour.graphQl === 'refused') return { kind: 'unknown' };
      return { kind: 'ends', at };
    },
    async readEnding(version) {
      const at = world.behaviour.versionEnds?.[version];
      return at === undefined ? { kind: 'none' } : { kind: 'ends', at: iso(at) };
    },
    findReachedLimit: async () => world.behaviour.reachedLimit,
    async probeWrites() {
      const { readOnly } = world.behaviour;
      meet();
      return readOnly === undefined ? { kind: 'unknown' } : { kind: 'refused', detail: readOnly };
    },
    lastRefusal() {
      return met === undefined ? undefined : { detail: met.detail, agoMs: world.now - met.at };
    },
    async probe() {
      const { missingGrants } = world.behaviour;
      const granted = { what: 'runners of the scope', outcome: 'granted', detail: 'api' } as const;
      return [
        granted,
        ...missingGrants.map(
          (what) => ({ what, outcome: 'missing', detail: '403 Forbidden' }) as const,
        ),
      ];
    },
  };
}

function found<T>(
  state: RegistrationState | undefined,
  show: (state: RegistrationState) => T,
): Found<T> {
  return state === undefined ? { kind: 'absent' } : { kind: 'found', value: show(state) };
}

function shown(world: World, state: RegistrationState): Registration {
  return {
    id: state.id as RegistrationId,
    description: state.description,
    note: state.note,
    paused: state.paused,
    ...(state.paused && isLeftOpen(state) ? { unclosed: true as const } : {}),
    tags: [...state.tags],
    runUntagged: state.runUntagged,
    contacted: state.contacted,
    execution: executionInRest(world, listedJobs(world, state.id)),
    url: `https://gitlab.example.com/admin/runners/${state.id}`,
  };
}

/** Returns the status in REST, or in GraphQL if REST has none. */
function executionOfSight(world: World, id: string): Execution {
  const jobs = listedJobs(world, id);
  const inRest = executionInRest(world, jobs);
  if (inRest !== 'unknown' || world.behaviour.graphQl === 'refused') return inRest;
  return executionOf(world, jobs);
}

function refuseEmpty(request: string, tags: readonly string[], runUntagged: boolean): void {
  if (tags.length > 0 || runUntagged) return;
  const words = 'tags_list can not be empty when runner is not allowed to pick untagged jobs';
  throw refused(request, 400, words);
}

function refused(request: string, status: number, detail: string): PortFailure {
  return new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `GitLab ${request}`,
    detail,
    status,
  });
}
