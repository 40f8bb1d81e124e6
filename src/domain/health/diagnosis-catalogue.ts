import type { Line } from '../text/line-to-type.ts';
import type { DiagnosisCode, DiagnosisEntry } from './diagnosis.ts';
import { outsideCauses } from './external-causes.ts';

const commands = {
  recover: { command: 'recover', more: '--method auto', wantsYes: true },
  provision: { command: 'provision' },
} as const;

/** Lists the actions and then the command. Names in braces are filled in later. */
export function nextOf({ acts = [], last }: DiagnosisEntry, runner: string): readonly Line[] {
  return [...acts, { text: last.text, runner, ...commands[last.command] }];
}

/**
 * Reasons why a shard does not become healthy, and their fixes; shared by errors, doctor and docs.
 */
export const diagnoses: Readonly<Record<DiagnosisCode, DiagnosisEntry>> = {
  ...outsideCauses,
  registration_deleted: {
    title: 'the {record} was deleted in {registry}',
    signs: "GitLab returns 404 for the runner, although hosted-runner's token can list runners.",
    time: 'cannot_help',
    because:
      'the token of a deleted {record} is invalid, and a {manager} never registers by itself',
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  registration_paused: {
    title: 'the {record} is {paused}',
    signs: 'GitLab shows the runner with `paused: true`. The manager polls without getting a job.',
    time: 'cannot_help',
    because: 'a {paused} {registration} gets no job, not even the canary',
    last: { text: 'Run provision again to unpause the {registration}', command: 'provision' },
  },
  token_refused: {
    title: "{registry} refuses the runner's token",
    signs:
      'After the runner last loaded its configuration, the log has `Checking for jobs... forbidden`, or `Error requesting a job` with the code `Unauthenticated` or `PermissionDenied`. Or the log has `Runner … is unhealthy and will be disabled` (before 15.7 `is not healthy and will be disabled`) and shows no other cause. Or `gitlab-runner verify` prints `is not valid` or `is removed`.',
    time: 'cannot_help',
    because: '{refused}',
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  token_absent: {
    title: 'the host could not read its token',
    signs:
      'The log has `ParameterNotFound`, `AccessDenied` for `GetParameter`, or `token is empty` (19.1 and later), and no runner process started after that.',
    time: 'cannot_help',
    because: 'the host reads the token only once, at boot',
    last: {
      text: "Let the instance's role read {shard}/runner_token, then rebuild the candidate",
      command: 'recover',
    },
  },
  version_ended: {
    title: 'GitHub gives no more jobs to runners of this version',
    signs:
      'GitHub: the log has `Runner version … is deprecated and cannot receive messages` or `RUNNER UPDATE REQUIRED`, and the listener did not start after that. `GET …/actions/runners/deprecations/VERSION` returns the date on which support ends.',
    time: 'cannot_help',
    because: 'GitHub never supports a version again, and these runners do not update themselves',
    acts: [
      "Put a newer runner into the image, or a newer `archive_url` into the hosts' configuration",
    ],
    last: { text: 'Then rebuild the candidate', command: 'recover' },
  },
  certificate_untrusted: {
    title: "the host does not trust {registry}'s certificate",
    signs:
      'The log has `x509: …` or `tls: failed to verify certificate` with any reason. An expired certificate counts only if the host has no known clock error.',
    time: 'cannot_help',
    because: "the host's certificates do not change by themselves",
    acts: ["Put {registry}'s certificate authority into the image or `tls-ca-file`"],
    last: { text: 'Then rebuild the candidate', command: 'recover' },
  },
  clock_off: {
    title: "the host's clock is wrong",
    signs:
      'The clock of the host differs from that of hosted-runner by more than a minute. Or the log has `certificate has expired or is not yet valid`, `Signature expired`, `Signature not yet current` or `RequestTimeTooSkewed`. GitHub: the log has `clock may be out of sync` or `Current server time is`.',
    time: 'may_help',
    because:
      'time synchronization may still correct the clock; until then, certificates and signed requests fail',
    acts: ['Check that the host reaches its time server (169.254.169.123 on AWS)'],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  instance_absent: {
    title: 'there is no instance',
    signs: "No instance has the shard's Name tag.",
    time: 'cannot_help',
    because: 'only an apply builds an instance',
    last: { text: 'Build the instance again', command: 'provision' },
  },
  instance_stopped: {
    title: 'the instance is stopped',
    signs: 'EC2 reports `stopped`, `stopping` or `shutting-down`.',
    time: 'cannot_help',
    because: 'nothing starts the instance automatically',
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  instance_never_booted: {
    title: 'the instance never became reachable',
    signs:
      'EC2 reports the instance as running or pending, but it never registered with Systems Manager.',
    time: 'may_help',
    because:
      'a slow boot may still finish; an SSM agent that could not yet use its new role tries again after 5 to 60 minutes; a broken image or user data does not recover',
    acts: [
      "Read the instance's system log in the EC2 console; if the instance has booted, reboot it to restart the agent",
    ],
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  agent_lost: {
    title: 'the SSM agent does not respond',
    signs: 'Systems Manager lists the host as `ConnectionLost` or `Inactive`.',
    time: 'may_help',
    because: 'an agent recovers after a restart or a network outage; a dead machine does not',
    acts: ["Check the instance's status checks and its network route to Systems Manager"],
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  runner_absent: {
    title: 'the runner was never started on the host',
    signs: 'Docker has no container, or systemd no unit, with the name in `host.name`.',
    time: 'may_help',
    because: 'user data may still be running; once it has finished, nothing else starts the runner',
    acts: ['Read /var/log/cloud-init-output.log on the host'],
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  runner_stopped: {
    title: 'the runner process has ended on the host',
    signs: 'The container has exited, or the unit is inactive or failed.',
    time: 'cannot_help',
    because: 'the process ended by itself; its last log lines show the reason',
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  registry_unreachable: {
    title: 'the host does not reach {registry}',
    signs:
      'For a request to GitLab, the log has `dial tcp`, `i/o timeout`, `TLS handshake timeout`, `no such host`, `connection refused`, `connection reset`, `no route to host`, `context deadline exceeded`, `network is unreachable` or `EOF`, and no response followed.',
    time: 'may_help',
    because: 'the runner retries until the network returns',
    acts: [
      "Check the subnet's route, the security group, DNS, and the shard's address in {registry}'s allow list",
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  no_matching_tags: {
    title: "the runner's {tags} do not match those of the canary",
    signs: 'The runner lacks a tag of the canary.',
    time: 'cannot_help',
    because: "{registry} gives a job only to a runner with all of the job's {tags}",
    last: { text: 'Run provision again to write the {tags}', command: 'provision' },
  },
  host_cannot_work: {
    title: 'the host cannot create a volume and a container',
    signs:
      'The workload probe names the reason: a full disk, a read-only disk, hung I/O, too many containers, or an unreachable image registry.',
    time: 'cannot_help',
    because:
      'a full or broken disk does not recover by itself; only an unreachable image registry may recover',
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  plugin_missing: {
    title: "the runner's fleeting plugin is not installed",
    signs:
      'The log has `loading fleeting plugin` or, before 16.11, `running autoscaler plugin … no such file or directory` or `running autoscaler plugin … executable file not found`.',
    time: 'cannot_help',
    because:
      'the runner does not install the plugin; without it, the runner creates no worker and requests no job',
    acts: [
      "Run `gitlab-runner fleeting install` on the host before the runner starts, into a folder that outlives the runner's container (FLEETING_PLUGIN_PATH)",
    ],
    last: { text: 'Then rebuild the candidate', command: 'recover' },
  },
  executor_broken: {
    title: "the runner's executor cannot run a job",
    signs:
      'The canary failed on the candidate with `runner_system_failure`. Or the log has `Preparation failed`, `failed to update executor`, `Executor … is not known`, `Cannot connect to the Docker daemon` or `failed to connect to the docker API`. After that, no job arrived or succeeded, and no runner process started.',
    time: 'cannot_help',
    because: 'a job that starts now would fail in the same way',
    acts: ["Read the canary's log"],
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  workers_not_made: {
    title: 'no worker becomes ready for jobs',
    signs:
      'The log has `increasing instances failure`, `ready up preparation failed` or `unable to acquire instance`. With docker-machine, it has `Machine creation failed` or `Error creating machine`. After that, no worker was created, and no job arrived or succeeded.',
    time: 'may_help',
    because:
      "the runner retries; waiting does not remove a quota, an Auto Scaling group's limit or a missing permission",
    acts: [
      'Fix the cause that the log line names: the Auto Scaling group, its limits, or the role of the runner manager',
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  capacity_missing: {
    title: 'the autoscaler has too few idle workers',
    signs: 'The autoscaler reports fewer idle workers than `healthcheck.idle_workers`.',
    time: 'may_help',
    because:
      'workers may still be booting; if not, the log shows the cause: a quota or a broken image',
    acts: ["Check the Auto Scaling group's activity and the account's quota"],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  targets_unreachable: {
    title: 'the candidate cannot reach a host that jobs need',
    signs: 'An entry of `healthcheck.reach` does not respond to the candidate.',
    time: 'may_help',
    because: 'an operator may still add the address of this shard to an allow list',
    acts: ["Allow the shard's address on the hosts that jobs need"],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  canary_not_startable: {
    title: 'the canary job could not be started',
    signs: 'GitLab refuses to retry the canary, or to create its pipeline.',
    time: 'may_help',
    because: 'an operator may still start the canary',
    last: {
      text: 'Start the canary in {registry}, then run provision again',
      command: 'provision',
    },
  },
};
