import type { FailureKind } from '../../../src/ports/failure.ts';

/** Result of a call: a failure of that kind, or a response with that meaning. */
export type Outcome =
  | FailureKind
  | 'absent'
  | 'unknown'
  | 'over'
  | 'missing'
  | 'not_probed'
  | 'done';

/** Conditions of the data and their result for every caller, unless `elsewhere` has another. */
export const everywhere: Readonly<Record<string, Outcome>> = {
  // Conditions of any endpoint.
  'no token, or a token nobody has': 'unauthenticated',
  'expired token': 'unauthenticated',
  'revoked token': 'unauthenticated',
  'token lacks every scope of the endpoint': 'denied',
  'user blocked, IP not allowed, terms not accepted': 'denied',
  'route unknown to this version': 'refused',
  'the route is unknown': 'refused',
  'parameter invalid': 'refused',
  'record locked by another write': 'refused',
  'too many requests, rack-attack': 'throttled',
  'internal error': 'unavailable',

  // Conditions of any write.
  'maintenance mode (all versions): any POST, PUT, PATCH, DELETE with JSON': 'read_only',
  'organization read-only for a bounded time': 'read_only',
  'organization read-only without an end': 'read_only',

  // The object is missing or invisible to the token. Only a missing runner counts as absent.
  'group missing or not visible': 'refused',
  'project missing or not visible': 'refused',
  'project path was moved, GET': 'refused',
  'project path was moved, not GET': 'refused',
  'no runner with this id': 'absent',
  'no such job in this project': 'refused',
  'no such pipeline in this project': 'refused',
  'runner not assigned to this project': 'refused',

  // Missing permission.
  'role too low': 'denied',
  'role too low on this runner': 'denied',
  'role too low for instance, group or project': 'denied',
  'no administrator': 'denied',
  'neither administrator nor auditor': 'denied',
  'may read the runner, not its builds': 'denied',
  'may not retry (also archived job, protected branch)': 'denied',
  'not retryable (runs, was retried, or is archived)': 'denied',
  'group runner': 'denied',
  'locked, not for administrators': 'denied',
  'locked, not for administrators (19.x only)': 'denied',
  'only project': 'denied',
  'owner project': 'denied',
  'project runner of several projects, asked first, not for administrators': 'denied',

  // Refusals of a valid request.
  'group_id or project_id names nothing': 'refused',
  'group_id missing with group_type': 'refused',
  'invalid model': 'refused',
  'maximum_timeout < 600': 'refused',
  'nothing to change': 'refused',
  'active and paused together': 'refused',
  'If-Unmodified-Since older than updated_at': 'refused',
  'project runner without a project': 'refused',
  'already assigned': 'refused',
  'runner without any project': 'refused',
  'status not known to this version': 'refused',
  'OAuth or job token': 'not_probed',
  'OAuth or job token (newer versions)': 'not_probed',
  'no member': 'missing',
  'ref does not exist': 'refused',
  'configuration error': 'refused',
  'no jobs pass the rules': 'refused',
  'inputs invalid': 'refused',
  'not playable': 'refused',

  // Temporary failures of GitLab.
  'creation rate limit': 'throttled',
  'instance runner, asked by an administrator': 'unavailable',
};

/** Methods with other results for a condition; `*` stands for all other methods. */
export const elsewhere: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
  // A missing runner cannot be changed. Only reads and the removal return `absent`.
  'registry.route': { 'no runner with this id': 'refused' },
  'registry.setIntake': { 'no runner with this id': 'refused' },
  'registry.resetToken': { 'no runner with this id': 'refused' },
  'registry.copyAssignments': { 'no runner with this id': 'refused' },
  'registry.copyAssignments of what there is': {
    'no runner with this id': 'refused',
    // The runner itself lists its projects then.
    'the route is unknown': 'done',
    'route unknown to this version': 'done',
  },

  // A job token may read jobs but gets a 401 for the start of one: it is valid, but lacks the
  // permission.
  'canaryJob.start': {
    'no token, or a token nobody has': 'denied',
    'expired token': 'denied',
    'revoked token': 'denied',
  },
  'canaryProject.start': {
    'no token, or a token nobody has': 'denied',
    'expired token': 'denied',
    'revoked token': 'denied',
  },
  'canaryJob.find': { 'no such job in this project': 'absent' },

  // Missing information about another pipeline counts as unknown, never as over.
  'pipelines.readOwner': { '*': 'unknown', 'no such pipeline in this project': 'over' },
  'pipelines.readOwner of a pipeline that is gone': { '*': 'unknown' },
  'pipelines.readOwner of its jobs': { '*': 'unknown' },
  'pipelines.readLockHolder': { '*': 'unknown' },
  'pipelines.readLastProvisions': { '*': 'unknown' },

  // A response about the requested permission shows it as missing. Any other response leaves it
  // unprobed.
  'registry.probe of the token': {
    'parameter invalid': 'not_probed',
    'token lacks every scope of the endpoint': 'not_probed',
    'user blocked, IP not allowed, terms not accepted': 'not_probed',
    'route unknown to this version': 'not_probed',
  },
  'registry.probe of the user': {
    'no token, or a token nobody has': 'not_probed',
    'expired token': 'not_probed',
    'revoked token': 'not_probed',
    'token lacks every scope of the endpoint': 'not_probed',
    'user blocked, IP not allowed, terms not accepted': 'not_probed',
    'route unknown to this version': 'not_probed',
  },
  'registry.probe of the list': {
    'no token, or a token nobody has': 'missing',
    'expired token': 'missing',
    'revoked token': 'missing',
    'token lacks every scope of the endpoint': 'missing',
    'user blocked, IP not allowed, terms not accepted': 'missing',
    'route unknown to this version': 'missing',
    'group missing or not visible': 'missing',
    'role too low': 'missing',
  },
  'registry.probe of the role': {
    'no token, or a token nobody has': 'not_probed',
    'expired token': 'not_probed',
    'revoked token': 'not_probed',
    'token lacks every scope of the endpoint': 'not_probed',
    'user blocked, IP not allowed, terms not accepted': 'not_probed',
    'route unknown to this version': 'not_probed',
    'group missing or not visible': 'missing',
    'project missing or not visible': 'missing',
  },
};

/** Conditions and variants that no query of the program can meet, with reasons. */
export const cannotBe: Readonly<Record<string, string>> = {
  with_system_id: 'jobs are never asked by manager: its link is there only once a job runs',
};

export function expectedOf(by: string, condition: string): Outcome | undefined {
  const own = elsewhere[by] ?? {};
  return own[condition] ?? own['*'] ?? everywhere[condition];
}
