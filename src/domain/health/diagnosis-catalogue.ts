import type { Line } from '../text/line-to-type.ts';
import type { DiagnosisCode, DiagnosisEntry } from './diagnosis.ts';
import { outsideCauses } from './external-causes.ts';

const commands = {
  recover: { command: 'recover', more: '--method auto', wantsYes: true },
  provision: { command: 'provision' },
} as const;

/** Lists the actions and then the command. Names in braces are filled in later. */
export function nextOf({ acts = [], last }: DiagnosisEntry, runner: string): readonly Line[] {
  return [...acts, { say: last.say, runner, ...commands[last.command] }];
}

/**
 * Reasons why a shard does not become healthy, and their fixes; shared by errors, doctor and docs.
 */
export const diagnoses: Readonly<Record<DiagnosisCode, DiagnosisEntry>> = {
  ...outsideCauses,
  registration_deleted: {
    title: 'the {record} was deleted in {registry}',
    signs: 'GitLab returns 404 for the runner to a token that may list runners.',
    time: 'cannot_help',
    because: 'its token is invalid, and a {manager} never registers by itself',
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  registration_paused: {
    title: 'the {record} is {paused}',
    signs: 'GitLab shows the runner with `paused: true`. The manager polls without getting a job.',
    time: 'cannot_help',
    because: 'a {paused} {registration} gets no job, not even the canary',
    last: { say: 'Run provision again to unpause the {registration}', command: 'provision' },
  },
  token_refused: {
    title: "{registry} refuses the runner's token",
    signs:
      'Since the last load of the configuration, the log has `Checking for jobs... forbidden`, or `Error requesting a job` with the code `Unauthenticated` or `PermissionDenied`. Or it has `Runner … is unhealthy and will be disabled` (before 15.7 `is not healthy and will be disabled`) and shows no other cause. Or `gitlab-runner verify` prints `is not valid` or `is removed`.',
    time: 'cannot_help',
    because: '{refused}',
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  token_absent: {
    title: 'the host could not read its token',
    signs:
      'The log has `ParameterNotFound`, `AccessDenied` for `GetParameter`, or `token is empty` (19.1 and later), and no process was started since.',
    time: 'cannot_help',
    because: 'the token is read once, at boot',
    last: {
      say: "Let the instance's role read {shard}/runner_token, then rebuild the candidate",
      command: 'recover',
    },
  },
  version_ended: {
    title: 'GitHub gives no more jobs to runners of this version',
    signs:
      'GitHub: the log has `Runner version … is deprecated and cannot receive messages` or `RUNNER UPDATE REQUIRED`, and the listener was not started since. `GET …/actions/runners/deprecations/VERSION` returns the day.',
    time: 'cannot_help',
    because: 'support for a version does not return, and these runners do not update themselves',
    acts: [
      'Put a newer runner into the image, or a newer `archive_url` into the configuration of the hosts',
    ],
    last: { say: 'Then rebuild the candidate', command: 'recover' },
  },
  certificate_untrusted: {
    title: "the host does not trust {registry}'s certificate",
    signs:
      'The log has `x509: …` or `tls: failed to verify certificate` with any reason. An expired certificate counts only if the host has no known clock error.',
    time: 'cannot_help',
    because: 'the certificates of the host do not change by themselves',
    acts: ["Put {registry}'s certificate authority into the image or `tls-ca-file`"],
    last: { say: 'Then rebuild the candidate', command: 'recover' },
  },
  clock_off: {
    title: "the host's clock is wrong",
    signs:
      'Its clock differs by more than a minute from the clock of hosted-runner. Or the log has `certificate has expired or is not yet valid`, `Signature expired`, `Signature not yet current` or `RequestTimeTooSkewed`. GitHub: `clock may be out of sync`, `Current server time is`.',
    time: 'may_help',
    because:
      'time synchronization may still correct it; certificates and signed requests fail until then',
    acts: ['Check that the host reaches its time server (169.254.169.123 on AWS)'],
    last: { say: 'Then run provision again', command: 'provision' },
  },
  instance_absent: {
    title: 'there is no instance',
    signs: "No instance has the shard's Name tag.",
    time: 'cannot_help',
    because: 'only an apply builds one',
    last: { say: 'Build it again', command: 'provision' },
  },
  instance_stopped: {
    title: 'the instance is stopped',
    signs: 'EC2 reports `stopped`, `stopping` or `shutting-down`.',
    time: 'cannot_help',
    because: 'no process starts it',
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  instance_never_booted: {
    title: 'the instance never became reachable',
    signs: 'EC2 reports it as running or pending, and it never registered with Systems Manager.',
    time: 'may_help',
    because:
      'a slow boot may still finish, and an SSM agent that could not use its new role yet tries again after 5 to 60 minutes; a broken image or user data stays broken',
    acts: [
      "Read the instance's system log in the EC2 console; if the instance has booted, reboot it to restart the agent",
    ],
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  agent_lost: {
    title: 'the SSM agent does not respond',
    signs: 'Systems Manager lists the host as `ConnectionLost` or `Inactive`.',
    time: 'may_help',
    because: 'an agent recovers after a restart or a network outage; a dead machine does not',
    acts: ["Check the instance's status checks and its network route to Systems Manager"],
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  runner_absent: {
    title: 'the runner was never started on the host',
    signs: 'docker or systemd has no such container or unit.',
    time: 'may_help',
    because: 'user data may still be running; after its end, nothing starts the runner',
    acts: ['Read /var/log/cloud-init-output.log on the host'],
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  runner_stopped: {
    title: 'the runner process has ended on the host',
    signs: 'The container has exited, or the unit is inactive or failed.',
    time: 'cannot_help',
    because: 'it ended by itself; its last log lines show the reason',
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  registry_unreachable: {
    title: 'the host does not reach {registry}',
    signs:
      'The log has `dial tcp`, `i/o timeout`, `TLS handshake timeout`, `no such host`, `connection refused`, `connection reset`, `no route to host`, `context deadline exceeded`, `network is unreachable` or `EOF` for a request to GitLab, and no response followed.',
    time: 'may_help',
    because: 'the runner retries until the network returns',
    acts: [
      "Check the subnet's route, the security group, DNS and {registry}'s allow list for the shard's address",
    ],
    last: { say: 'Then run provision again', command: 'provision' },
  },
  no_matching_tags: {
    title: "the runner's {tags} do not match the job's",
    signs: 'The runner lacks a tag of the canary, or several shards share that tag.',
    time: 'cannot_help',
    because: '{registry} gives a job only to a runner with all of its {tags}',
    last: { say: 'Run provision again to write the {tags}', command: 'provision' },
  },
  host_cannot_work: {
    title: 'the host cannot create a volume and a container',
    signs:
      'The workload probe names the reason: a full disk, a read-only disk, hung I/O, no more containers, or an unreachable image registry.',
    time: 'cannot_help',
    because:
      'a full or broken disk does not recover by itself; exception: an unreachable image registry may recover',
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  plugin_missing: {
    title: "the runner's fleeting plugin is not installed",
    signs:
      'The log has `loading fleeting plugin`. Before 16.11: `running autoscaler plugin … no such file or directory` or `running autoscaler plugin … executable file not found`.',
    time: 'cannot_help',
    because:
      'the runner does not install it; without it, no worker is created and no job is requested',
    acts: [
      'Run `gitlab-runner fleeting install` on the host before the runner starts, into a folder that outlives its container (FLEETING_PLUGIN_PATH)',
    ],
    last: { say: 'Then rebuild the candidate', command: 'recover' },
  },
  executor_broken: {
    title: "the runner's executor cannot run a job",
    signs:
      'The canary failed on the candidate with `runner_system_failure`. Or the log has `Preparation failed`, `failed to update executor`, `Executor … is not known`, `Cannot connect to the Docker daemon` or `failed to connect to the docker API`. Since then no job was received or succeeded, and no process was started.',
    time: 'cannot_help',
    because: 'a job that starts now would fail in the same way',
    acts: ["Read the canary's log"],
    last: { say: 'Rebuild the candidate', command: 'recover' },
  },
  workers_not_made: {
    title: 'no worker becomes ready for jobs',
    signs:
      'The log has `increasing instances failure`, `ready up preparation failed` or `unable to acquire instance`. With docker-machine: `Machine creation failed` or `Error creating machine`. Since then no worker was created, and no job was received or succeeded.',
    time: 'may_help',
    because:
      'the runner retries; waiting does not remove a quota, a limit of the group or a missing permission',
    acts: [
      'Fix the cause that the line names: the group, its limits, or the role of the runner manager',
    ],
    last: { say: 'Then run provision again', command: 'provision' },
  },
  capacity_missing: {
    title: 'the autoscaler has too few idle workers',
    signs: 'Fewer idle workers than `healthcheck.idle_workers`.',
    time: 'may_help',
    because: 'workers may still boot; if not, the log shows a quota or a broken image',
    acts: ["Check the Auto Scaling group's activity and the account's quota"],
    last: { say: 'Then run provision again', command: 'provision' },
  },
  targets_unreachable: {
    title: 'the candidate cannot reach a host that jobs need',
    signs: 'An entry of `healthcheck.reach` does not respond to the candidate.',
    time: 'may_help',
    because: 'an operator may still add the address of this shard to an allow list',
    acts: ["Allow the shard's address on the hosts that jobs need"],
    last: { say: 'Then run provision again', command: 'provision' },
  },
  canary_not_startable: {
    title: 'the canary job could not be started',
    signs: 'GitLab refuses to retry the canary, or to create its pipeline.',
    time: 'may_help',
    because: 'an operator may still start it',
    last: { say: 'Start it in {registry}, then run provision again', command: 'provision' },
  },
};
