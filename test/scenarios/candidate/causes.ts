import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { BootBehaviour } from '../../fakes/hosts/behaviour.ts';
import type { Call, Fault } from '../../fakes/seam/seam.ts';
import { wakeManagers } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/serving.ts';
import type { HostState, RegistrationState, World } from '../../fakes/world/world.ts';

/** One thing that keeps a candidate from becoming healthy. */
export interface Cause {
  readonly code: DiagnosisCode;
  readonly boot?: BootBehaviour;
  readonly healthcheck?: Partial<StackSettings['healthcheck']>;
  /** Done at each look at the hosts while it lasts. */
  readonly spoil?: (candidate: Candidate) => void;
  /** Done once when the cause is over. */
  readonly mend?: (candidate: Candidate) => void;
  /** Whether the candidate becomes active if the cause is over after five minutes. */
  readonly mends: boolean;
}

export interface Candidate {
  readonly world: World;
  readonly hosts: readonly HostState[];
  readonly registration: RegistrationState | undefined;
}

const every = (candidate: Candidate, change: Partial<HostState>) => {
  for (const host of candidate.hosts) Object.assign(host, change);
};
const says = (candidate: Candidate, line: string) => {
  // Again at each look: what is still wrong is written again.
  for (const host of candidate.hosts)
    host.log.splice(0, host.log.length, ...host.log.filter((one) => one !== line), line);
};
/** The machine is there, and nothing on it will start the runner any more. */
const withoutRunner = (candidate: Candidate, process: 'absent' | 'stopped') => {
  const { world, hosts } = candidate;
  const ids = hosts.map(({ id }) => id);
  world.events = world.events.filter(
    ({ event }) => !('hostId' in event && ids.includes(event.hostId)),
  );
  every(candidate, { process, agent: 'online' });
};
const x509 = 'x509: certificate signed by unknown authority';
const expired = 'x509: certificate has expired or is not yet valid';
const target = 'https://registry.example.com/v2/';
const base = stackSettings().healthcheck.evidence;

/** Those of issue "evidence", and what else the catalogue names. */
export const causes: readonly Cause[] = [
  {
    code: 'token_refused',
    spoil: ({ registration }) => {
      if (registration !== undefined) registration.token = 'glrt-another';
    },
    mends: false,
  },
  {
    code: 'registration_paused',
    spoil: ({ registration }) => {
      if (registration !== undefined) registration.paused = true;
    },
    mend: ({ world, registration }) => {
      if (registration !== undefined) registration.paused = false;
      wakeManagers(world);
    },
    mends: true,
  },
  {
    code: 'registration_deleted',
    spoil: ({ world, registration }) => {
      if (registration !== undefined) delete world.registrations[registration.id];
    },
    mends: false,
  },
  {
    code: 'clock_off',
    boot: 'never_contacts',
    spoil: (candidate) => {
      every(candidate, { clockOffMs: -7_200_000 });
      says(candidate, `ERROR: Checking for jobs... failed: ${expired}`);
    },
    mends: false,
  },
  {
    code: 'certificate_untrusted',
    boot: 'never_contacts',
    spoil: (candidate) => says(candidate, `ERROR: Checking for jobs... failed: ${x509}`),
    mends: false,
  },
  {
    code: 'no_matching_tags',
    spoil: ({ registration }) => {
      if (registration !== undefined) registration.tags = ['another'];
    },
    mend: ({ world, registration }) => {
      if (registration !== undefined) registration.tags = ['canary-1-200-linux'];
      wakeManagers(world);
    },
    mends: true,
  },
  {
    code: 'instance_never_booted',
    spoil: (candidate) => every(candidate, { unregistered: true }),
    mend: (candidate) => every(candidate, { unregistered: false }),
    mends: true,
  },
  {
    code: 'token_absent',
    boot: 'never_contacts',
    spoil: (candidate) =>
      says(
        candidate,
        'ERROR: ParameterNotFound: /gitlab/dedicated/runner/linux/purple/runner_token',
      ),
    mends: false,
  },
  {
    code: 'instance_absent',
    spoil: (candidate) => every(candidate, { state: 'terminated' }),
    mends: false,
  },
  {
    code: 'instance_stopped',
    spoil: (candidate) => every(candidate, { state: 'stopped' }),
    mends: false,
  },
  { code: 'executor_broken', boot: 'fails_jobs', mends: false },
  { code: 'agent_lost', boot: 'agent_lost', mends: false },
  {
    code: 'runner_absent',
    spoil: (candidate) => withoutRunner(candidate, 'absent'),
    mends: false,
  },
  {
    code: 'runner_stopped',
    spoil: (candidate) => withoutRunner(candidate, 'stopped'),
    mends: false,
  },
  { code: 'registry_unreachable', boot: 'never_contacts', mends: false },
  {
    code: 'host_cannot_work',
    spoil: (candidate) =>
      every(candidate, { workloadFault: 'the disk is full: making a volume: "no space left"' }),
    mend: ({ hosts }) => {
      for (const host of hosts) delete host.workloadFault;
    },
    mends: true,
  },
  {
    code: 'capacity_missing',
    healthcheck: { idleWorkers: 3, evidence: { ...base, capacity: 'required' } },
    spoil: (candidate) => every(candidate, { idleWorkers: 1 }),
    mend: (candidate) => every(candidate, { idleWorkers: 3 }),
    mends: true,
  },
  {
    code: 'targets_unreachable',
    healthcheck: { reach: [target], evidence: { ...base, reachability: 'required' } },
    spoil: (candidate) => every(candidate, { unreachable: { [target]: 'it answers 403' } }),
    mend: ({ hosts }) => {
      for (const host of hosts) delete host.unreachable;
    },
    mends: true,
  },
];

export function worldOf({ boot, healthcheck }: Cause): World {
  const settings = stackSettings();
  const stack = { ...settings, healthcheck: { ...settings.healthcheck, ...healthcheck } };
  const boots = boot === undefined ? {} : { boots: { 'purple-linux': [boot] } };
  return worldWithActive(pink, { stacks: [stack], behaviour: boots });
}

export interface Spoiling {
  /** The cause is over so long after the first look. */
  readonly overAfterMs?: number;
  readonly also?: (call: Call, candidate: Candidate) => Fault | undefined;
}

/** Lets a cause act from the first look at the candidate's hosts on. */
export function spoiling(
  world: World,
  cause: Cause,
  { overAfterMs = Number.POSITIVE_INFINITY, also = () => undefined }: Spoiling = {},
): (call: Call) => Fault | undefined {
  let since: number | undefined;
  let mended = false;
  return (call) => {
    const candidate = candidateOf(world);
    if (isLook(call) && candidate.hosts.length > 0) {
      since ??= world.now;
      if (world.now - since < overAfterMs) cause.spoil?.(candidate);
      else if (!mended) {
        mended = true;
        cause.mend?.(candidate);
      }
    }
    return since === undefined ? undefined : also(call, candidate);
  };
}

function isLook({ port, method, args }: Call): boolean {
  const { shard } = (args[0] ?? {}) as { shard?: unknown };
  return port === 'host' && method === 'list' && shard === purple;
}

export function candidateOf(world: World): Candidate {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  return {
    world,
    hosts: hostsOf(world, stack, purple),
    registration: Object.values(world.registrations).find(
      ({ description }) => description === 'purple-linux',
    ),
  };
}
