import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard } from '../../../src/domain/shard.ts';
import type { Behaviour } from '../../fakes/hosts/behaviour.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { canaryTag } from '../../fakes/ports/canary-fake.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { breakJobs } from '../../fakes/world/broken-jobs.ts';
import { acknowledgeJob, pollForJob, startStream, submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { schedule } from '../../fakes/world/world-event.ts';
import { ownId } from '../../stages/reach.ts';
import { happensTo } from '../faults/machine-events.ts';
import { configurations } from './configurations.ts';
import { inactive, promoted, stackOf, tokenOf } from './roles.ts';
import { turnStatusAround } from './status-edit.ts';

/** Makes the promoted shard fail customer jobs. */
function failJobs(world: World): void {
  breakJobs(world, promoted(world), ['acme/a', 'acme/b', 'acme/c']);
}

/** Rare circumstances in the world. */
const circumstances = {
  /** The bake rolls back automatically. */
  bad_jobs: failJobs,
  drain_bad: failJobs,
  drain_bad_told: failJobs,
  /**
   * Adds a job that GitLab assigns to no runner until its author cancels it. Customer jobs must
   * succeed, so this job is none.
   */
  starving: (world: World) => {
    const shard = promoted(world);
    const job = { name: 'build', durationMs: 5000, project: 'acme/shop', visible: true };
    const [registration] = registrationsOf(world, stackOf(world), shard);
    const startedAt = world.now - 60_000;
    Object.assign(submitJob(world, { ...job, tags: ['nobody'] }), {
      status: 'success',
      registrationId: registration?.id,
      startedAt,
      finishedAt: startedAt + job.durationMs,
    });
    const { id: jobId, attempt } = submitJob(world, { ...job, kind: 'pipeline', tags: ['linux'] });
    world.queue = world.queue.filter((one) => one !== jobId);
    schedule(world, 1_800_000, { kind: 'job_canceled', jobId, attempt });
  },
  signals: (world: World) => {
    world.signals = {
      metrics: { errors: { highest: 0, doubts: [] } },
      alarms: { 'runner-errors': { state: 'ok', detail: 'OK' } },
      webhook: { kind: 'good', detail: '200' },
    };
  },
  force: (world: World) => {
    world.behaviour.killAllowed = true;
    const stack = stackOf(world);
    world.stacks[0] = { ...stack, drain: { ...stack.drain, forceAfterMs: 60_000 } };
  },
  observe: (world: World) =>
    startStream(world, {
      // The interval visits every moment between two polls. With 20 s, jobs would arrive at three
      // of these moments only. One of two managers may be first at all of them and get every job.
      everyMs: 19_700,
      durationsMs: [15_000],
      tags: ['linux'],
      visible: true,
      project: 'customers/shop',
      count: 400,
    }),
  lost_token: (world: World) => removeParameter(world, tokenOf(world)),
  twin: (world: World) => {
    const stack = stackOf(world);
    const shard = inactive(world);
    const [one] = Object.values(world.registrations).filter(
      ({ description }) => description === `${shard}-${stack.runnerName}`,
    );
    addRegistration(world, {
      shard: { runnerName: stack.runnerName, shard },
      settings: stack.registration,
      tags: one?.tags ?? ['canary'],
      note: one?.note ?? '',
    });
  },
  left: (world: World) => {
    const { runnerName } = stackOf(world);
    const resource = { kind: 'network_interface', id: 'eni-0abc', state: 'available' } as const;
    for (const shard of stackOf(world).shards) {
      if (shard !== activeShard(world, stackOf(world)))
        world.tagged.push({ runnerName, shard, resource });
    }
  },
  taken: (world: World) => {
    world.behaviour.taken = ['log_group'];
  },
  taken_thing: (world: World) => {
    const { runnerName } = stackOf(world);
    const resource = {
      kind: 'role',
      id: 'AROA0ABC',
      name: 'the role',
      state: 'available',
    } as const;
    world.behaviour.taken = ['role/AROA0ABC'];
    world.tagged.push({ runnerName, shard: inactive(world), resource });
  },
  hook: (world: World) => {
    const { runnerName } = stackOf(world);
    const shard = inactive(world);
    const [host] = hostsOf(world, stackOf(world), shard);
    const group = `${shard}-${runnerName}`;
    const hook = {
      group,
      hook: 'terminating',
      instanceId: host?.id ?? 'i-0',
      instance: 'alive',
    } as const;
    world.hooks.push({ runnerName, shard, hook });
    const old = { ...hook, instanceId: 'i-0abcgone', instance: 'terminated' } as const;
    world.hooks.push({ runnerName, shard, hook: old });
  },
  /**
   * Lets a worker of the retiring shard die during a job, unnoticed by its registry. The job is so
   * old that GitHub never reports the runner as idle again.
   */
  left_over: (world: World) => {
    const stack = stackOf(world);
    const retiring = otherShard(stack.shards, activeShard(world, stack) ?? stack.shards[0]);
    for (const host of hostsOf(world, stack, retiring)) {
      const { tags } = stack.registration;
      const job = submitJob(world, { name: 'one', tags, durationMs: 300_000 });
      pollForJob(world, host);
      acknowledgeJob(world, job);
      if (job.startedAt !== undefined) job.startedAt -= 600_000;
      schedule(world, 20_000, { kind: 'host_dies', hostId: host.id });
    }
  },
  /** Ends the only machine of the promoted shard while the other shard drains. */
  dies: (world: World) => happensTo(world, 'serving', 25_000, 'host_dies'),
  /** Makes the promoted shard unprovable: its agent is lost, and no job starts there. */
  silent: (world: World) => {
    happensTo(world, 'serving', 5_000, 'agent_lost');
  },
  /** Ends the machines of both shards. */
  both_die: (world: World) => {
    happensTo(world, 'serving', 25_000, 'host_dies');
    happensTo(world, 'other', 30_000, 'host_dies');
  },
  /** Adds a customer job with the canary's tag, which takes the candidate's only slot first. */
  our_tag: (world: World) => {
    world.behaviour.concurrent = 1;
    const tags = [canaryTag(stackOf(world), ownId)];
    const { id } = submitJob(world, { name: 'hosted_runner_canary', tags, durationMs: 100_000 });
    world.queue = [id, ...world.queue.filter((one) => one !== id)];
  },
  /**
   * Leaves the canary's tag on the active shard: a run was interrupted during its canary there.
   */
  tag_left: (world: World) => {
    const tag = canaryTag(stackOf(world), ownId);
    for (const one of registrationsOf(world, stackOf(world), promoted(world))) one.tags.push(tag);
  },
  no_status: (world: World) => removeParameter(world, parametersOf(stackOf(world)).status),
  /** Besides a further edit, the status named the candidate for a while. */
  turned_back: turnStatusAround,
  held: (world: World) => {
    const { hold } = parametersOf(stackOf(world));
    const since = new Date(world.now).toISOString();
    putParameter(world, {
      name: hold,
      value: JSON.stringify({ who: 'on-call', why: 'an incident', since }),
    });
  },
  /** Keeps the hold's name blocked for a while after its deletion. */
  released: (world: World) => {
    circumstances.held(world);
    removeSoon(world, parametersOf(stackOf(world)).hold);
  },
  /** Keeps the lock's name blocked for a while after its deletion. */
  unlocked: (world: World) => {
    const { lock } = parametersOf(stackOf(world));
    putParameter(world, { name: lock, value: 'of the job before' });
    removeSoon(world, lock);
  },
} as const;

/** Behaviour that differs from the start. */
const behaviours = {
  /** Only the hosts report jobs that the token cannot see. */
  unseen: { graphQl: 'refused', jobsVisible: false },
  /** The candidate's machine never contacts GitLab. */
  mute: { boots: { 'purple-linux': ['never_contacts'] } },
  fleet: { runners: 'github_persistent', concurrent: 1 },
  ephemeral: { runners: 'github_ephemeral', concurrent: 1 },
  left_over: { runners: 'github_persistent', concurrent: 1, unresponsiveRunnerMs: 1_800_000 },
} as const satisfies Record<string, Partial<Behaviour>>;

export type Variant =
  | keyof typeof configurations
  | keyof typeof circumstances
  | keyof typeof behaviours;

/**
 * Variants that need an operator's decision: machines die by themselves, or a customer uses the
 * canary's tag.
 */
export const troubled: readonly Variant[] = ['dies', 'both_die', 'silent', 'mute', 'our_tag'];

/**
 * Returns the part of a variant that decides but is invisible in the world: its settings or
 * behaviour.
 */
export function unseenIn(variant: Variant | undefined): string {
  if (variant === undefined) return '';
  const isUnseen = variant in configurations || variant in behaviours || variant === 'force';
  return isUnseen ? variant : '';
}

export function behaving(variant: Variant): Partial<Behaviour> {
  return variant in behaviours ? behaviours[variant as keyof typeof behaviours] : {};
}

export function configured(stack: StackSettings, variant: Variant): StackSettings {
  if (variant in configurations)
    return configurations[variant as keyof typeof configurations](stack);
  const { runners } = behaving(variant);
  if (runners === undefined) return stack;
  // Settings that the evidence contains and the checker uses.
  const scope = { kind: 'organization', organization: 'acme' } as const;
  const ephemeral = runners === 'github_ephemeral';
  return { ...stack, github: { scope, groups: { production: 'Default' }, ephemeral } };
}

export function vary(world: World, variant: Variant): void {
  if (variant in circumstances) circumstances[variant as keyof typeof circumstances](world);
  absorb(world);
}

/** Removes a parameter shortly before the first run, which blocks its name for a while. */
function removeSoon(world: World, name: string): void {
  removeParameter(world, name);
  const { [name]: removed } = world.removed;
  if (removed !== undefined) removed.at += 20_000;
}
