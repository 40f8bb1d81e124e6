import type { DiagnosisCode, DiagnosisEntry } from './diagnosis.ts';

const anew = 'hosted-runner recover --runner {runner} --method auto --yes';
const again = 'hosted-runner provision --runner {runner}';

/** Why a shard does not become healthy, and what to do: the one catalogue for errors, doctor and docs. */
export const diagnoses: Readonly<Record<DiagnosisCode, DiagnosisEntry>> = {
  registration_deleted: {
    title: 'the {record} was deleted in {registry}',
    signs: 'GitLab answers 404 for the runner to a token that may list runners.',
    time: 'cannot_help',
    because: 'its token died with it, and a {manager} never registers by itself',
    next: [`Build the candidate anew: ${anew}`],
  },
  registration_paused: {
    title: 'the {record} is {paused}',
    signs: 'GitLab shows the record with `paused: true`; the manager polls and gets nothing.',
    time: 'cannot_help',
    because: 'one that is {paused} is given no job, the canary included',
    next: [`Run it again, which makes it {unpaused}: ${again}`],
  },
  token_refused: {
    title: "{registry} refuses the runner's token",
    signs:
      'The log has `Checking for jobs... forbidden`, or `Runner … is unhealthy and will be disabled` (before 15.7 `is not healthy and will be disabled`) without another reason for it, since the last load of the configuration; `gitlab-runner verify` says `is not valid` or `is removed`.',
    time: 'cannot_help',
    because: '{refused}',
    next: [`Build the candidate anew: ${anew}`],
  },
  token_absent: {
    title: 'the host could not read its token',
    signs:
      'The log speaks of `ParameterNotFound`, of `AccessDenied` at Parameter Store, or says `token is empty` (19.1 and later).',
    time: 'cannot_help',
    because: 'the token is read once, at boot',
    next: [`See that the instance's role may read {shard}/runner_token, then begin anew: ${anew}`],
  },
  version_ended: {
    title: '{registry} gives runners of this version no job any more',
    signs:
      'GitHub: the log has `Runner version … is deprecated and cannot receive messages` or `RUNNER UPDATE REQUIRED`, after `Listening for Jobs`. `GET …/actions/runners/deprecations/VERSION` names the day.',
    time: 'cannot_help',
    because:
      'a version that has ended does not come back, and runners here do not update themselves',
    next: [
      'Put a newer runner into the image, or a newer `archive_url` into the configuration of the hosts',
      `Then build the candidate anew: ${anew}`,
    ],
  },
  certificate_untrusted: {
    title: "the host does not trust {registry}'s certificate",
    signs:
      'The log has `x509: …` or `tls: failed to verify certificate`, with whatever reason. Of a certificate that has expired only where the clock of the host is not known to be wrong.',
    time: 'cannot_help',
    because: 'the certificates of the host do not change by themselves',
    next: [
      "Put {registry}'s certificate authority into the image or `tls-ca-file`",
      `Then build the candidate anew: ${anew}`,
    ],
  },
  clock_off: {
    title: "the host's clock is wrong",
    signs:
      'Its clock is more than a minute off ours, or the log says `certificate has expired or is not yet valid`, or has AWS refuse a signature: `Signature expired`, `Signature not yet current`.',
    time: 'may_help',
    because:
      'time synchronization may still set it; certificates and signed requests fail until then',
    next: [
      'See that the host reaches its time server (169.254.169.123 on AWS)',
      `Then run it again: ${again}`,
    ],
  },
  instance_absent: {
    title: 'there is no instance',
    signs: "No instance has the shard's Name tag.",
    time: 'cannot_help',
    because: 'only an apply builds one',
    next: [`Build it again: ${again}`],
  },
  instance_stopped: {
    title: 'the instance is stopped',
    signs: 'EC2 says `stopped`, `stopping` or `shutting-down`.',
    time: 'cannot_help',
    because: 'nobody starts it',
    next: [`Build the candidate anew: ${anew}`],
  },
  instance_never_booted: {
    title: 'the instance never came up',
    signs: 'EC2 says that it runs, or is pending, and Systems Manager has never heard from it.',
    time: 'may_help',
    because: 'a slow boot ends by itself; a broken image or user data does not',
    next: [
      "Look at the instance's system log in the EC2 console",
      `Build the candidate anew: ${anew}`,
    ],
  },
  agent_lost: {
    title: 'the SSM agent does not answer',
    signs: 'Systems Manager knows the host and says `ConnectionLost` or `Inactive`.',
    time: 'may_help',
    because:
      'an agent comes back after a restart or when the network does; a dead machine does not',
    next: [
      "See the instance's status checks and its way to Systems Manager",
      `Build the candidate anew: ${anew}`,
    ],
  },
  runner_absent: {
    title: 'the runner was never started on the host',
    signs: 'docker or systemd knows no such container or unit.',
    time: 'may_help',
    because: 'user data may still be running; if it has ended, nothing starts it',
    next: ['Read /var/log/cloud-init-output.log on the host', `Build the candidate anew: ${anew}`],
  },
  runner_stopped: {
    title: 'the runner process has ended on the host',
    signs: 'The container has exited, or the unit is inactive or failed.',
    time: 'cannot_help',
    because: 'it ended by itself, and its last lines say why',
    next: [`Build the candidate anew: ${anew}`],
  },
  registry_unreachable: {
    title: 'the host does not reach {registry}',
    signs:
      'The log has `dial tcp`, `i/o timeout`, `TLS handshake timeout`, `no such host`, `connection refused`, `connection reset`, `no route to host`, `context deadline exceeded`, `network is unreachable` or `EOF`, of a request to GitLab, and no request was answered since.',
    time: 'may_help',
    because: 'the runner tries for ever, so that it comes back with the network',
    next: [
      "See the subnet's route, the security group, DNS and {registry}'s allow list for the shard's own address",
      `Then run it again: ${again}`,
    ],
  },
  no_matching_tags: {
    title: "the runner's {tags} do not match the job's",
    signs: 'The record lacks a tag that the canary asks for, or several shards share it.',
    time: 'cannot_help',
    because: '{registry} gives a job only to a runner that has all of its {tags}',
    next: [`Run it again, which writes the {tags}: ${again}`],
  },
  host_cannot_work: {
    title: 'the host cannot make a volume and a container',
    signs:
      'The workload probe names the reason: disk full, read-only, hung I/O, no more containers, image registry out of reach.',
    time: 'cannot_help',
    because: 'a full or broken disk does not mend itself; a registry may come back',
    next: [`Build the candidate anew: ${anew}`],
  },
  executor_broken: {
    title: "the runner's executor cannot run a job",
    signs:
      'The canary failed on the candidate with `runner_system_failure`, or the log has `Preparation failed`, `Failed to process runner … failed to update executor`, `Executor … is not known`, `Cannot connect to the Docker daemon`, or its newer form `failed to connect to the docker API`.',
    time: 'cannot_help',
    because: 'every job would fail as this one did',
    next: ["Read the canary's log", `Build the candidate anew: ${anew}`],
  },
  capacity_missing: {
    title: 'the autoscaler has not its idle workers',
    signs: 'Fewer idle workers than `healthcheck.idle_workers`.',
    time: 'may_help',
    because: 'workers may still boot; a quota or a broken image ends in the log',
    next: [
      "See the Auto Scaling group's activity and the account's quota",
      `Then run it again: ${again}`,
    ],
  },
  targets_unreachable: {
    title: 'a host that jobs must reach is out of reach',
    signs: 'An entry of `healthcheck.reach` does not answer the candidate.',
    time: 'may_help',
    because: 'an allow list may still be opened for the address of this shard',
    next: ["Allow the shard's own address where jobs have to go", `Then run it again: ${again}`],
  },
  canary_not_startable: {
    title: 'the canary job could not be started',
    signs: 'GitLab refuses to retry the canary, or to create its pipeline.',
    time: 'may_help',
    because: 'a person may still press it',
    next: [`Press it, then run it again: ${again}`],
  },
};
