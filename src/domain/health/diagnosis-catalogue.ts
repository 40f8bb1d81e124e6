import type { Line } from '../text/line-to-type.ts';
import type { DiagnosisCode, DiagnosisEntry } from './diagnosis.ts';
import { outsideCauses } from './external-causes.ts';

const commands = {
  recover: { command: 'recover', more: '--method auto', wantsYes: true },
  provision: { command: 'provision' },
} as const;

/** Acts and the command, in the order to do them; what the acts name in braces is to be filled in. */
export function nextOf({ acts = [], last }: DiagnosisEntry, runner: string): readonly Line[] {
  return [...acts, { say: last.say, runner, ...commands[last.command] }];
}

/** Why a shard does not become healthy, and what to do: the one catalogue for errors, doctor and docs. */
export const diagnoses: Readonly<Record<DiagnosisCode, DiagnosisEntry>> = {
  ...outsideCauses,
  registration_deleted: {
    title: 'the {record} was deleted in {registry}',
    signs: 'GitLab answers 404 for the runner to a token that may list runners.',
    time: 'cannot_help',
    because: 'its token died with it, and a {manager} never registers by itself',
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  registration_paused: {
    title: 'the {record} is {paused}',
    signs: 'GitLab shows the record with `paused: true`; the manager polls and gets nothing.',
    time: 'cannot_help',
    because: 'one that is {paused} is given no job, the canary included',
    last: { say: 'Run it again, which makes it {unpaused}', command: 'provision' },
  },
  token_refused: {
    title: "{registry} refuses the runner's token",
    signs:
      'The log has `Checking for jobs... forbidden`, `Error requesting a job` with the code `Unauthenticated` or `PermissionDenied`, or `Runner … is unhealthy and will be disabled` (before 15.7 `is not healthy and will be disabled`) without another reason for it, since the last load of the configuration; `gitlab-runner verify` says `is not valid` or `is removed`.',
    time: 'cannot_help',
    because: '{refused}',
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  token_absent: {
    title: 'the host could not read its token',
    signs:
      'The log speaks of `ParameterNotFound`, of `AccessDenied` of `GetParameter`, or says `token is empty` (19.1 and later), and nothing was started since.',
    time: 'cannot_help',
    because: 'the token is read once, at boot',
    last: {
      say: "See that the instance's role may read {shard}/runner_token, then begin anew",
      command: 'recover',
    },
  },
  version_ended: {
    title: '{registry} gives runners of this version no job any more',
    signs:
      'GitHub: the log has `Runner version … is deprecated and cannot receive messages` or `RUNNER UPDATE REQUIRED`, and the listener was not started since. `GET …/actions/runners/deprecations/VERSION` names the day.',
    time: 'cannot_help',
    because:
      'a version that has ended does not come back, and runners here do not update themselves',
    acts: [
      'Put a newer runner into the image, or a newer `archive_url` into the configuration of the hosts',
    ],
    last: { say: 'Then build the candidate anew', command: 'recover' },
  },
  certificate_untrusted: {
    title: "the host does not trust {registry}'s certificate",
    signs:
      'The log has `x509: …` or `tls: failed to verify certificate`, with whatever reason. Of a certificate that has expired only where the clock of the host is not known to be wrong.',
    time: 'cannot_help',
    because: 'the certificates of the host do not change by themselves',
    acts: ["Put {registry}'s certificate authority into the image or `tls-ca-file`"],
    last: { say: 'Then build the candidate anew', command: 'recover' },
  },
  clock_off: {
    title: "the host's clock is wrong",
    signs:
      'Its clock is more than a minute off ours, or the log says `certificate has expired or is not yet valid`, or has AWS refuse a signature: `Signature expired`, `Signature not yet current`, `RequestTimeTooSkewed`. GitHub: `clock may be out of sync`, `Current server time is`.',
    time: 'may_help',
    because:
      'time synchronization may still set it; certificates and signed requests fail until then',
    acts: ['See that the host reaches its time server (169.254.169.123 on AWS)'],
    last: { say: 'Then run it again', command: 'provision' },
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
    signs: 'EC2 says `stopped`, `stopping` or `shutting-down`.',
    time: 'cannot_help',
    because: 'nobody starts it',
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  instance_never_booted: {
    title: 'the instance never came up',
    signs: 'EC2 says that it runs, or is pending, and Systems Manager has never heard from it.',
    time: 'may_help',
    because:
      'a slow boot ends by itself, and an SSM agent whose first call was refused, its role being new, tries again after 5 to 60 minutes; a broken image or user data does not mend',
    acts: [
      "Look at the instance's system log in the EC2 console; where it has booted, reboot it, which wakes its agent",
    ],
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  agent_lost: {
    title: 'the SSM agent does not answer',
    signs: 'Systems Manager knows the host and says `ConnectionLost` or `Inactive`.',
    time: 'may_help',
    because:
      'an agent comes back after a restart or when the network does; a dead machine does not',
    acts: ["See the instance's status checks and its way to Systems Manager"],
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  runner_absent: {
    title: 'the runner was never started on the host',
    signs: 'docker or systemd knows no such container or unit.',
    time: 'may_help',
    because: 'user data may still be running; if it has ended, nothing starts it',
    acts: ['Read /var/log/cloud-init-output.log on the host'],
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  runner_stopped: {
    title: 'the runner process has ended on the host',
    signs: 'The container has exited, or the unit is inactive or failed.',
    time: 'cannot_help',
    because: 'it ended by itself, and its last lines say why',
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  registry_unreachable: {
    title: 'the host does not reach {registry}',
    signs:
      'The log has `dial tcp`, `i/o timeout`, `TLS handshake timeout`, `no such host`, `connection refused`, `connection reset`, `no route to host`, `context deadline exceeded`, `network is unreachable` or `EOF`, of a request to GitLab, and no request was answered since.',
    time: 'may_help',
    because: 'the runner tries for ever, so that it comes back with the network',
    acts: [
      "See the subnet's route, the security group, DNS and {registry}'s allow list for the shard's own address",
    ],
    last: { say: 'Then run it again', command: 'provision' },
  },
  no_matching_tags: {
    title: "the runner's {tags} do not match the job's",
    signs: 'The record lacks a tag that the canary asks for, or several shards share it.',
    time: 'cannot_help',
    because: '{registry} gives a job only to a runner that has all of its {tags}',
    last: { say: 'Run it again, which writes the {tags}', command: 'provision' },
  },
  host_cannot_work: {
    title: 'the host cannot make a volume and a container',
    signs:
      'The workload probe names the reason: disk full, read-only, hung I/O, no more containers, image registry out of reach.',
    time: 'cannot_help',
    because: 'a full or broken disk does not mend itself; a registry may come back',
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  plugin_missing: {
    title: "the runner's fleeting plugin is not installed",
    signs:
      'The log has `loading fleeting plugin` (16.11 and later), or before that `running autoscaler plugin … no such file or directory` or `running autoscaler plugin … executable file not found`.',
    time: 'cannot_help',
    because:
      'the runner only looks for it; without it no worker is made, and no job is ever asked for',
    acts: [
      'Run `gitlab-runner fleeting install` on the host before the runner starts, into a folder that outlives its container (FLEETING_PLUGIN_PATH)',
    ],
    last: { say: 'Then build the candidate anew', command: 'recover' },
  },
  executor_broken: {
    title: "the runner's executor cannot run a job",
    signs:
      'The canary failed on the candidate with `runner_system_failure`, or the log has `Preparation failed`, `failed to update executor`, `Executor … is not known`, `Cannot connect to the Docker daemon`, or its newer form `failed to connect to the docker API`, and since then no job was received or has succeeded and nothing was started.',
    time: 'cannot_help',
    because: 'a job that starts now would fail in the same way',
    acts: ["Read the canary's log"],
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  workers_not_made: {
    title: 'no worker becomes ready for jobs',
    signs:
      'The log has `increasing instances failure`, `ready up preparation failed` or `unable to acquire instance`, or with docker-machine `Machine creation failed` or `Error creating machine`; no worker was made since, and no job was received or has succeeded.',
    time: 'may_help',
    because: 'the runner asks again; a quota, a limit of the group or a missing permission stays',
    acts: ['Mend what the line names: the group, its limits, the role of the runner manager'],
    last: { say: 'Then run it again', command: 'provision' },
  },
  capacity_missing: {
    title: 'the autoscaler has not its idle workers',
    signs: 'Fewer idle workers than `healthcheck.idle_workers`.',
    time: 'may_help',
    because: 'workers may still boot; a quota or a broken image ends in the log',
    acts: ["See the Auto Scaling group's activity and the account's quota"],
    last: { say: 'Then run it again', command: 'provision' },
  },
  targets_unreachable: {
    title: 'a host that jobs must reach is out of reach',
    signs: 'An entry of `healthcheck.reach` does not answer the candidate.',
    time: 'may_help',
    because: 'an allow list may still be opened for the address of this shard',
    acts: ["Allow the shard's own address where jobs have to go"],
    last: { say: 'Then run it again', command: 'provision' },
  },
  canary_not_startable: {
    title: 'the canary job could not be started',
    signs: 'GitLab refuses to retry the canary, or to create its pipeline.',
    time: 'may_help',
    because: 'a person may still press it',
    last: { say: 'Press it, then run it again', command: 'provision' },
  },
};
