import type { DiagnosisCode, DiagnosisEntry } from './diagnosis.ts';

/** Entries of the catalogue for what GitLab, GitHub and AWS do to a host that is sound itself. */
export const outsideCauses = {
  registration_lost: {
    title: "{registry} does not know the {manager}'s registration",
    signs:
      'GitHub: the log has `Registration … was not found`, `registration has been deleted from the server` or `The runner no longer exists on the server`, and nothing was started since.',
    time: 'cannot_help',
    because:
      'a {manager} whose registration was deleted retries without end and never registers again',
    last: { say: 'Build the candidate anew', command: 'recover' },
  },
  runner_orphaned: {
    title: '{registry} has no project or group for the {record} any more',
    signs: 'GitLab: the log has `jobs/request: 422`, and no other response came since.',
    time: 'cannot_help',
    because: 'a {record} whose project or group was deleted is given no job',
    acts: ['Create the {manager} in a project or group that exists'],
    last: { say: 'Then build the candidate anew', command: 'recover' },
  },
  session_conflict: {
    title: 'GitHub has another session of the same runner',
    signs:
      'GitHub: the log has `A session for this runner already exists` or `Session Conflict`; after 240 s the listener ends with exit code 5 (`status=5/NOTINSTALLED`).',
    time: 'may_help',
    because:
      'the session of a listener that was killed ends after some minutes; a second machine with the same registration keeps its session',
    acts: [
      'If two machines have the same registration, build the image without `.runner` and `.credentials`',
    ],
    last: { say: 'Then run it again', command: 'provision' },
  },
  name_taken: {
    title: 'GitHub already has a runner with this name',
    signs:
      'GitHub: the log has `A runner exists with the same name`, and neither `Successfully replaced the runner` nor a start came since.',
    time: 'cannot_help',
    because: 'the registration is refused until the runner that has the name is removed',
    acts: [
      'Remove the runner of that name in GitHub, or register with `--replace`, as the reference module does',
    ],
    last: { say: 'Then run it again', command: 'provision' },
  },
  api_rate_limited: {
    title: "{registry} refuses the {manager}'s requests because an API rate limit is used up",
    signs:
      'The log has `jobs/request: 429`, and no other response came since. GitHub: the log has `API rate limit exceeded`, `secondary rate limit`, `Http response code: TooManyRequests`, or `failed with status: TooManyRequests`.',
    time: 'may_help',
    because:
      'the limit is reset by itself, at GitHub within an hour; the token and the {manager} are not the cause',
    acts: [
      'Wait for the reset, and find what else uses the same rate limit: GitHub counts by App or account, GitLab by user or address',
    ],
    last: { say: 'Then run it again', command: 'provision' },
  },
  address_refused: {
    title: "GitHub refuses the host's address",
    signs: 'GitHub: the log has `IP allow list`, and nothing was started since.',
    time: 'may_help',
    because: 'the runner tries again; the token and the image are not the cause',
    acts: ["Add the address that the host's requests come from to GitHub's IP allow list"],
    last: { say: 'Then run it again', command: 'provision' },
  },
  aws_throttled: {
    title: 'AWS throttles the calls of the host',
    signs:
      'The log has `RequestLimitExceeded`, `Request limit exceeded`, `Rate exceeded`, `ThrottlingException` or `EC2ThrottledException`, and no worker was made and nothing was started since.',
    time: 'may_help',
    because: 'AWS accepts the same call again once the account makes fewer of them',
    acts: ['Wait some minutes, and find what else calls the same API of the account'],
    last: { say: 'Then run it again', command: 'provision' },
  },
  registry_failing: {
    title: "{registry} answers the {manager}'s requests with errors",
    signs:
      'The log has `jobs/request: 5…`, `jobs/request: 408`, `jobs/request: 409`, `jobs/request: 425`, `GitLab instance currently unavailable`, `Waiting before making the next call` with 3 s or more, or `Error requesting a job` with a code that is not about the token, and no job was received since. GitHub: `Http response code: InternalServerError`, `failed with status: InternalServerError` and the like.',
    time: 'may_help',
    because:
      'the failure is in {registry}, and the {manager} retries; the candidate is not the cause',
    acts: ["See {registry}'s status page"],
    last: { say: 'Then run it again', command: 'provision' },
  },
  address_wrong: {
    title: "the {manager}'s requests are not answered by {registry}'s API",
    signs:
      'GitLab: the log has `jobs/request: 3…` or `jobs/request: 4…` (404, 410 and others; not 403, 409, 422 or 429), or `response is not application/json`, and no other response came since.',
    time: 'may_help',
    because:
      'a load balancer answers so while no {registry} is behind it; a wrong address in the configuration stays wrong',
    acts: ["See `url` in the host's config.toml, and the proxy or load balancer before {registry}"],
    last: { say: 'Then run it again', command: 'provision' },
  },
  subnet_full: {
    title: 'the subnet has no free address',
    signs:
      'The log has `InsufficientFreeAddressesInSubnet` or `not enough free addresses`, and no worker was made since.',
    time: 'may_help',
    because: 'an address is free again when an instance ends',
    acts: ['Free addresses in the subnet that the line names, or give the group a larger one'],
    last: { say: 'Then run it again', command: 'provision' },
  },
  zone_without_capacity: {
    title: 'the availability zone has no capacity of this instance type',
    signs:
      'The log has `InsufficientInstanceCapacity`, `UnfulfillableCapacity`, `sufficient … capacity` or `no Spot capacity available`, and no worker was made since.',
    time: 'may_help',
    because: 'capacity comes back, sooner in another zone or of another instance type',
    acts: [
      'Give the group another zone or instance type; the line may name zones that have capacity',
    ],
    last: { say: 'Then run it again', command: 'provision' },
  },
  worker_reclaimed: {
    title: "a job's worker was ended by AWS",
    signs:
      'The log has `not supported on a terminated instance`, `instance unexpectedly removed`, `Spot Instance interruption` or `ssh tunnel: EOF`, and no job was received or has succeeded since.',
    time: 'may_help',
    because: 'a spot instance is taken back at any time, and the next job gets another worker',
    acts: ['If it happens often, use On-Demand instances for the workers'],
    last: { say: 'Run it again', command: 'provision' },
  },
} as const satisfies Partial<Record<DiagnosisCode, DiagnosisEntry>>;
