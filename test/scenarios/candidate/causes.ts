import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { purple, stackSettings } from '../../fakes/builders.ts';
import type { BootBehaviour } from '../../fakes/hosts/behaviour.ts';
import { wakeManagers } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { HostState, RegistrationState, World } from '../../fakes/world/world.ts';

/** Cause that prevents a candidate from becoming healthy. */
export interface Cause {
  readonly code: DiagnosisCode;
  readonly boot?: BootBehaviour;
  readonly healthcheck?: Partial<StackSettings['healthcheck']>;
  /** Done at each check of the hosts while the cause lasts. */
  readonly spoil?: (candidate: Candidate) => void;
  /** Done once when the cause is over. */
  readonly fix?: (candidate: Candidate) => void;
  /** Whether the candidate becomes active if the cause ends after five minutes. */
  readonly isFixed: boolean;
}

/** Cause with its title, observation and commands in the error, for the runner `linux`. */
interface NamedCause extends Cause {
  readonly title: string;
  readonly seen: string;
  readonly types: readonly string[];
}

export interface Candidate {
  readonly world: World;
  readonly hosts: readonly HostState[];
  readonly registration: RegistrationState | undefined;
}

const every = (candidate: Candidate, change: Partial<HostState>) => {
  for (const host of candidate.hosts) Object.assign(host, change);
};
const writeLine = (candidate: Candidate, line: string) => {
  // Each check writes the line again while the cause lasts.
  for (const host of candidate.hosts)
    host.log.splice(0, host.log.length, ...host.log.filter((one) => one !== line), line);
};
/** Stops the runner on an existing machine permanently. */
const withoutRunner = (candidate: Candidate, process: 'absent' | 'stopped') => {
  const { world } = candidate;
  const ids = candidate.hosts.map(({ id }) => id);
  world.events = world.events.filter(
    ({ event }) => !('hostId' in event && ids.includes(event.hostId)),
  );
  every(candidate, { process, agent: 'online' });
};
const x509 = 'x509: certificate signed by unknown authority';
const expired = 'x509: certificate has expired or is not yet valid';
const target = 'https://registry.example.com/v2/';
const base = stackSettings().healthcheck.evidence;

/** Causes of the diagnosis, one or more for each in the catalogue. */
export const causes: readonly NamedCause[] = [
  {
    code: 'token_refused',
    title: "GitLab refuses the runner's token",
    seen: '"ERROR: Checking for jobs... forbidden status=POST https://gitlab.example.com/api/v4/jobs/request: 403 Forbidden"',
    types: ['provision', 'recover --method cleanup --yes'],
    spoil: ({ registration }) => {
      if (registration !== undefined) registration.token = 'glrt-another';
    },
    isFixed: false,
  },
  {
    code: 'registration_paused',
    title: 'The runner is paused',
    seen: 'runner 48214 is paused',
    types: ['provision', 'recover --method terminate --yes'],
    spoil: ({ registration }) => {
      if (registration !== undefined) registration.paused = true;
    },
    fix: ({ world, registration }) => {
      if (registration !== undefined) registration.paused = false;
      wakeManagers(world);
    },
    isFixed: true,
  },
  {
    code: 'registration_deleted',
    title: 'The runner was deleted in GitLab',
    seen: 'runner 48214 does not exist',
    types: ['recover --method terminate --yes'],
    spoil: ({ world, registration }) => {
      if (registration !== undefined) delete world.registrations[registration.id];
    },
    isFixed: false,
  },
  {
    code: 'clock_off',
    title: "The host's clock is wrong",
    seen: 'the clock of i-0abc0000000000002 is 2h behind',
    types: ['provision', 'recover --method cleanup --yes'],
    boot: 'never_contacts',
    spoil: (candidate) => {
      every(candidate, { clockOffMs: -7_200_000 });
      writeLine(candidate, `ERROR: Checking for jobs... failed: ${expired}`);
    },
    isFixed: false,
  },
  {
    code: 'certificate_untrusted',
    title: "The host does not trust GitLab's certificate",
    seen: '"ERROR: Checking for jobs... failed: x509: certificate signed by unknown authority"',
    types: ['recover --method cleanup --yes', 'recover --method terminate --yes'],
    boot: 'never_contacts',
    spoil: (candidate) => writeLine(candidate, `ERROR: Checking for jobs... failed: ${x509}`),
    isFixed: false,
  },
  {
    code: 'no_matching_tags',
    title: "The runner's tags do not match those of the canary",
    seen: 'runner 48214 lacks the tag canary-1-200-linux',
    types: ['provision', 'recover --method terminate --yes'],
    spoil: ({ registration }) => {
      if (registration !== undefined) registration.tags = ['another'];
    },
    fix: ({ world, registration }) => {
      if (registration !== undefined) registration.tags = ['canary-1-200-linux'];
      wakeManagers(world);
    },
    isFixed: true,
  },
  {
    code: 'instance_never_booted',
    title: 'The instance never became reachable',
    seen: 'i-0abc0000000000002 is running and never registered with Systems Manager',
    types: ['provision', 'recover --method terminate --yes'],
    spoil: (candidate) => every(candidate, { unregistered: true }),
    fix: (candidate) => every(candidate, { unregistered: false }),
    isFixed: true,
  },
  {
    code: 'token_absent',
    title: 'The host could not read its token',
    seen: '"ERROR: ParameterNotFound: /gitlab/dedicated/runner/linux/purple/runner_token"',
    types: ['recover --method cleanup --yes', 'recover --method terminate --yes'],
    boot: 'never_contacts',
    spoil: (candidate) =>
      writeLine(
        candidate,
        'ERROR: ParameterNotFound: /gitlab/dedicated/runner/linux/purple/runner_token',
      ),
    isFixed: false,
  },
  {
    code: 'instance_absent',
    title: 'There is no instance',
    seen: 'no instance has the Name tag of the shard',
    types: ['provision', 'recover --method cleanup --yes'],
    spoil: (candidate) => every(candidate, { state: 'terminated' }),
    isFixed: false,
  },
  {
    code: 'instance_stopped',
    title: 'The instance is stopped',
    seen: 'i-0abc0000000000002 is stopped',
    types: ['recover --method cleanup --yes', 'recover --method terminate --yes'],
    spoil: (candidate) => every(candidate, { state: 'stopped' }),
    isFixed: false,
  },
  {
    code: 'executor_broken',
    title: "The runner's executor cannot run a job",
    seen: 'canary job 9000002 failed on the candidate: runner_system_failure',
    types: ['recover --method terminate --yes'],
    boot: 'fails_jobs',
    isFixed: false,
  },
  {
    code: 'agent_lost',
    title: 'The SSM agent does not respond',
    seen: 'i-0abc0000000000002 does not respond to Systems Manager',
    types: ['provision', 'recover --method terminate --yes'],
    boot: 'agent_lost',
    isFixed: false,
  },
  {
    code: 'runner_absent',
    title: 'The runner was never started on the host',
    seen: 'i-0abc0000000000002 has no such container or unit',
    types: ['provision', 'recover --method cleanup --yes'],
    spoil: (candidate) => withoutRunner(candidate, 'absent'),
    isFixed: false,
  },
  {
    code: 'runner_stopped',
    title: 'The runner process has ended on the host',
    seen: 'the runner process of i-0abc0000000000002 is stopped',
    types: ['recover --method cleanup --yes', 'recover --method terminate --yes'],
    spoil: (candidate) => withoutRunner(candidate, 'stopped'),
    isFixed: false,
  },
  {
    code: 'registry_unreachable',
    title: 'The host does not reach GitLab',
    seen: '"WARNING: Checking for jobs... failed status=execute JSON request: execute reques…xecute POST against https://gitlab.example.com/api/v4/jobs/request: Post "https://gitlab.example.com/api/v4/jobs/request": dial tcp 203.0.113.7:443: i/o timeout"',
    types: ['provision', 'recover --method cleanup --yes'],
    boot: 'never_contacts',
    isFixed: false,
  },
  {
    code: 'host_cannot_work',
    title: 'The host cannot create a volume and a container',
    seen: 'host i-0abc0000000000002 cannot run a container: the disk is full: creating a volume: "no space left"',
    types: ['recover --method terminate --yes'],
    spoil: (candidate) =>
      every(candidate, { workloadFault: 'the disk is full: creating a volume: "no space left"' }),
    fix: ({ hosts }) => {
      for (const host of hosts) delete host.workloadFault;
    },
    isFixed: true,
  },
  {
    code: 'capacity_missing',
    title: 'The autoscaler has too few idle workers',
    seen: '1 of 3 idle workers exist; EC2 lists no worker with the tags of the shard',
    types: ['provision', 'recover --method terminate --yes'],
    healthcheck: { idleWorkers: 3, evidence: { ...base, capacity: 'required' } },
    spoil: (candidate) => every(candidate, { idleWorkers: 1 }),
    fix: (candidate) => every(candidate, { idleWorkers: 3 }),
    isFixed: true,
  },
  {
    code: 'targets_unreachable',
    title: 'The candidate cannot reach a host that jobs need',
    seen: 'host i-0abc0000000000002 does not reach https://registry.example.com/v2/ (it answers 403)',
    types: ['provision', 'recover --method terminate --yes'],
    healthcheck: { reach: [target], evidence: { ...base, reachability: 'required' } },
    spoil: (candidate) => every(candidate, { unreachable: { [target]: 'it answers 403' } }),
    fix: ({ hosts }) => {
      for (const host of hosts) delete host.unreachable;
    },
    isFixed: true,
  },
];

export function candidateOf(world: World): Candidate {
  const [stack] = world.stacks;
  if (stack === undefined) throw new Error('the world has no stack');
  const all = Object.values(world.registrations);
  const registration = all.find(({ description }) => description === 'purple-linux');
  return { world, hosts: hostsOf(world, stack, purple), registration };
}
