import type { DiagnosisCode, DiagnosisEntry } from './diagnosis.ts';

/** Faults of GitLab, GitHub and AWS that affect a sound host. */
export const outsideCauses = {
  registration_lost: {
    title: "the runner's registration no longer exists in GitHub",
    signs:
      'GitHub: the log has `Registration … was not found`, `registration has been deleted from the server` or `The runner no longer exists on the server`, and no runner process started after that.',
    time: 'cannot_help',
    because: 'a runner whose registration was deleted retries forever and never registers again',
    last: { text: 'Rebuild the candidate', command: 'recover' },
  },
  runner_orphaned: {
    title: 'the project or group of the {record} no longer exists in {registry}',
    signs: 'GitLab: the log has `jobs/request: 422`, and no other response followed.',
    time: 'cannot_help',
    because: 'without its project or group, the {record} gets no job',
    acts: [
      'Set `registration.project_id` or `registration.group_id` to a project or group that exists',
    ],
    last: { text: 'Then rebuild the candidate', command: 'recover' },
  },
  session_conflict: {
    title: 'GitHub has another session of the same runner',
    signs:
      "GitHub: the log has `A session for this runner already exists` or `Session Conflict`. After 240 s, the listener (the runner's process) ends with exit code 5 (`status=5/NOTINSTALLED`).",
    time: 'may_help',
    because:
      'the session of a killed listener ends after some minutes; the session of a second machine with the same registration does not end',
    acts: [
      'If two machines have the same registration, rebuild the image without `.runner` and `.credentials`',
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  name_taken: {
    title: 'GitHub already has a runner with this name',
    signs:
      'GitHub: the log has `A runner exists with the same name`, and neither `Successfully replaced the runner` nor a start of the runner followed.',
    time: 'cannot_help',
    because: 'GitHub refuses the registration until the runner with this name is removed',
    acts: [
      'Remove the runner with this name in GitHub, or register with `--replace`, as the reference module does',
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  api_rate_limited: {
    title: "{registry} refuses the {manager}'s requests because an API rate limit is exhausted",
    signs:
      'The log has `jobs/request: 429`, and no other response followed. GitHub: the log has `API rate limit exceeded`, `secondary rate limit`, `Http response code: TooManyRequests`, or `failed with status: TooManyRequests`.',
    time: 'may_help',
    because:
      'the limit resets (on GitHub within an hour); the token and the {manager} are not the cause',
    acts: [
      'Wait until the limit resets, and find other programs that use the same App or account (GitHub), user or address (GitLab)',
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  address_refused: {
    title: "GitHub refuses the host's address",
    signs: 'GitHub: the log has `IP allow list`, and no runner process started after that.',
    time: 'may_help',
    because: 'the runner retries; the token and the image are not the cause',
    acts: ["Add the source address of the host's requests to GitHub's IP allow list"],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  aws_throttled: {
    title: 'AWS throttles the calls of the host',
    signs:
      'The log has `RequestLimitExceeded`, `Request limit exceeded`, `Rate exceeded`, `ThrottlingException` or `EC2ThrottledException`. After that, no worker was created and no runner process started.',
    time: 'may_help',
    because: 'AWS accepts these calls again once the account makes fewer of them',
    acts: ['Wait some minutes, and find the other callers of the same API in the account'],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  registry_failing: {
    title: "{registry} returns errors to the {manager}'s requests",
    signs:
      'The log has `jobs/request: 5…`, `jobs/request: 408`, `jobs/request: 409`, `jobs/request: 425`, `GitLab instance currently unavailable`, `Waiting before making the next call` for 3 s or more, or `Error requesting a job` with a code that does not concern the token. After that, the runner received no job. GitHub: the log has `Http response code: InternalServerError`, `failed with status: InternalServerError` or similar lines.',
    time: 'may_help',
    because:
      'the failure is in {registry}, and the {manager} retries; the candidate is not the cause',
    acts: ["Check {registry}'s status page"],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  address_wrong: {
    title: "the {manager}'s requests do not reach {registry}'s API",
    signs:
      'GitLab: the log has `jobs/request: 3…` or `jobs/request: 4…` (404, 410 and others, except 403, 409, 422 and 429), or `response is not application/json`, and no other response followed.',
    time: 'may_help',
    because:
      'a load balancer responds like this while the {registry} behind it is down; a wrong address in the configuration does not correct itself',
    acts: [
      "Check `url` in the host's config.toml, and the proxy or load balancer in front of {registry}",
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  subnet_full: {
    title: 'the subnet has no free address',
    signs:
      'The log has `InsufficientFreeAddressesInSubnet` or `not enough free addresses`, and no worker was created after that.',
    time: 'may_help',
    because: 'an address becomes free when an instance terminates',
    acts: [
      'Release addresses in the subnet that the log line names, or give the Auto Scaling group a larger subnet',
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  zone_without_capacity: {
    title: 'the availability zone has no capacity for this instance type',
    signs:
      'The log has `InsufficientInstanceCapacity`, `UnfulfillableCapacity`, `sufficient … capacity` or `no Spot capacity available`, and no worker was created after that.',
    time: 'may_help',
    because: 'capacity returns with time; another zone or instance type may have some sooner',
    acts: [
      'Give the Auto Scaling group another zone or instance type; the log line may name zones that have capacity',
    ],
    last: { text: 'Then run provision again', command: 'provision' },
  },
  worker_reclaimed: {
    title: "AWS terminated a job's worker",
    signs:
      'The log has `not supported on a terminated instance`, `instance unexpectedly removed`, `Spot Instance interruption` or `ssh tunnel: EOF`. After that, no job arrived or succeeded.',
    time: 'may_help',
    because: 'AWS may reclaim a Spot instance at any time, and the next job gets another worker',
    acts: ['If this happens often, use On-Demand instances for the workers'],
    last: { text: 'Run provision again', command: 'provision' },
  },
} as const satisfies Partial<Record<DiagnosisCode, DiagnosisEntry>>;
