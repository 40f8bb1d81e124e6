import type { StackSettings } from '../../../src/domain/settings.ts';
import { otherShard } from '../../../src/domain/shard.ts';
import type { Behaviour } from '../../fakes/hosts/behaviour.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { canaryTag } from '../../fakes/ports/canary-fake.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { acknowledgeJob, pollForJob, startStream, submitJob } from '../../fakes/world/jobs.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { schedule } from '../../fakes/world/world-event.ts';
import { ownId } from '../../stages/reach.ts';
import { happensTo } from '../faults/machine-events.ts';
import { turnStatusAround } from './status-edit.ts';

/** A configuration that is not the usual one. */
const configurations = {
  project: (stack: StackSettings): StackSettings => ({
    ...stack,
    registration: { ...stack.registration, scope: { kind: 'project', projectId: 7 } },
  }),
  observe: (stack: StackSettings): StackSettings => {
    const { evidence } = stack.healthcheck;
    const observed = { ...evidence, observe: 'required' as const };
    return { ...stack, healthcheck: { ...stack.healthcheck, evidence: observed, observeJobs: 2 } };
  },
  reach: (stack: StackSettings): StackSettings => {
    const { evidence } = stack.healthcheck;
    // No host of this world says how many workers are idle: what EC2 says of them is asked for.
    const asked = { ...evidence, reachability: 'required', capacity: 'optional' } as const;
    const reach = ['https://gitlab.example.com'];
    return { ...stack, healthcheck: { ...stack.healthcheck, evidence: asked, reach } };
  },
  account: (stack: StackSettings): StackSettings => ({
    ...stack,
    aws: { ...stack.aws, account: '111122223333', region: 'eu-central-1' },
  }),
  /** No host may be asked. */
  unasked: (stack: StackSettings): StackSettings => {
    const { evidence } = stack.healthcheck;
    const off = { ...evidence, instance: 'off', host: 'off', workload: 'off' } as const;
    return {
      ...stack,
      host: { ...stack.host, access: 'none' },
      healthcheck: { ...stack.healthcheck, evidence: off },
    };
  },
  terraform: (stack: StackSettings): StackSettings => ({
    ...stack,
    infrastructure: { ...stack.infrastructure, driver: 'terraform' } as never,
  }),
} as const;

/** Something in the world that is seldom there. */
const circumstances = {
  force: (world: World) => {
    world.behaviour.killAllowed = true;
    const stack = stackOf(world);
    world.stacks[0] = { ...stack, drain: { ...stack.drain, forceAfterMs: 60_000 } };
  },
  observe: (world: World) =>
    startStream(world, {
      everyMs: 20_000,
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
   * A worker of the shard that retires dies in the middle of a job, and its registry does not notice: the
   * job is so old that GitHub never again takes the runner for idle.
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
  /** The only machine of the shard that was promoted ends by itself, while the other one drains. */
  dies: (world: World) => happensTo(world, 'serving', 25_000, 'host_dies'),
  /** Nobody can say any more whether it serves: its agent is lost, and no job begins there. */
  silent: (world: World) => {
    happensTo(world, 'serving', 5_000, 'agent_lost');
  },
  /** Neither has a machine any more. */
  both_die: (world: World) => {
    happensTo(world, 'serving', 25_000, 'host_dies');
    happensTo(world, 'other', 30_000, 'host_dies');
  },
  /** A customer's job asks for the canary's tag, and takes the candidate's only slot before it. */
  our_tag: (world: World) => {
    world.behaviour.concurrent = 1;
    const tags = [canaryTag(stackOf(world), ownId)];
    const { id } = submitJob(world, { name: 'hosted_runner_canary', tags, durationMs: 100_000 });
    world.queue = [id, ...world.queue.filter((one) => one !== id)];
  },
  /** A run was cut off while it asked the shard that serves for a canary. */
  tag_left: (world: World) => {
    const tag = canaryTag(stackOf(world), ownId);
    const serving = activeShard(world, stackOf(world)) ?? stackOf(world).shards[0];
    for (const one of registrationsOf(world, stackOf(world), serving)) one.tags.push(tag);
  },
  no_status: (world: World) => removeParameter(world, parametersOf(stackOf(world)).status),
  /** Beside an edit: the status named the candidate for a while. */
  turned_back: turnStatusAround,
  held: (world: World) => {
    const { hold } = parametersOf(stackOf(world));
    const since = new Date(world.now).toISOString();
    putParameter(world, {
      name: hold,
      value: JSON.stringify({ who: 'on-call', why: 'an incident', since }),
    });
  },
  /** The name of the last hold is not free yet. */
  released: (world: World) => {
    circumstances.held(world);
    removeSoon(world, parametersOf(stackOf(world)).hold);
  },
  /** Nor that of the last lock. */
  unlocked: (world: World) => {
    const { lock } = parametersOf(stackOf(world));
    putParameter(world, { name: lock, value: 'of the job before' });
    removeSoon(world, lock);
  },
} as const;

/** A world that answers otherwise from the start. */
const behaviours = {
  /** Nobody but the hosts can say whether a job runs that the token does not see. */
  unseen: { graphQl: 'refused', jobsVisible: false },
  /** The candidate's machine never speaks to GitLab. */
  mute: { boots: { 'purple-linux': ['never_contacts'] } },
  fleet: { runners: 'github_persistent', concurrent: 1 },
  ephemeral: { runners: 'github_ephemeral', concurrent: 1 },
  left_over: { runners: 'github_persistent', concurrent: 1, silentRunnerMs: 1_800_000 },
} as const satisfies Record<string, Partial<Behaviour>>;

export type Variant =
  | keyof typeof configurations
  | keyof typeof circumstances
  | keyof typeof behaviours;

/** Where machines die by themselves, or somebody uses what is ours: a person has to decide there. */
export const troubled: readonly Variant[] = ['dies', 'both_die', 'silent', 'mute', 'our_tag'];

/** What decides and is not seen in the world: the settings, or how the world behaves. */
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
  // What the evidence says of the stack, and the checker judges it by.
  const scope = { kind: 'organization', organization: 'acme' } as const;
  const ephemeral = runners === 'github_ephemeral';
  return { ...stack, github: { scope, groups: { production: 'Default' }, ephemeral } };
}

export function vary(world: World, variant: Variant): void {
  if (variant in circumstances) circumstances[variant as keyof typeof circumstances](world);
  absorb(world);
}

/** Shortly before the first run begins: the name is not free for a while. */
function removeSoon(world: World, name: string): void {
  removeParameter(world, name);
  const { [name]: removed } = world.removed;
  if (removed !== undefined) removed.at += 20_000;
}

function stackOf(world: World): StackSettings {
  return world.stacks[0] as StackSettings;
}

function inactive(world: World) {
  const stack = stackOf(world);
  return otherShard(stack.shards, activeShard(world, stack) ?? stack.shards[0]);
}

function tokenOf(world: World): string {
  return parametersOf(stackOf(world)).token(inactive(world));
}
