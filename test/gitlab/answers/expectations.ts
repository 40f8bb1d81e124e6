import type { FailureKind } from '../../../src/ports/failure.ts';

/** What a call may end with: a failure of that kind, or an answer that says so. */
export type Outcome =
  | FailureKind
  | 'absent'
  | 'unknown'
  | 'over'
  | 'missing'
  | 'not_probed'
  | 'done';

/** Each condition of the data, and what it is to whoever asks, where `elsewhere` does not say otherwise. */
export const everywhere: Readonly<Record<string, Outcome>> = {
  // Of any endpoint.
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

  // Of any write.
  'maintenance mode (all versions): any POST, PUT, PATCH, DELETE with JSON': 'read_only',
  'organization read-only for a bounded time': 'read_only',
  'organization read-only without an end': 'read_only',

  // Whom it is about is not there, or not to this token: only a runner that is missing is absent.
  'group missing or not visible': 'refused',
  'project missing or not visible': 'refused',
  'project path was moved, GET': 'refused',
  'project path was moved, not GET': 'refused',
  'no runner with this id': 'absent',
  'no such job in this project': 'refused',
  'no such pipeline in this project': 'refused',
  'runner not assigned to this project': 'refused',

  // The token may not.
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

  // GitLab understood, and refuses.
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

  // GitLab cannot, now.
  'creation rate limit': 'throttled',
  'instance runner, asked by an administrator': 'unavailable',
};

/** Methods that answer a condition in their own way; `*` is all of them that are not named. */
export const elsewhere: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
  // Nobody can change a runner that is gone: only reads and the removal know `absent`.
  'registry.route': { 'no runner with this id': 'refused' },
  'registry.setIntake': { 'no runner with this id': 'refused' },
  'registry.resetToken': { 'no runner with this id': 'refused' },
  'registry.copyAssignments': { 'no runner with this id': 'refused' },
  'registry.copyAssignments of what there is': {
    'no runner with this id': 'refused',
    // The runner itself names its projects then.
    'the route is unknown': 'done',
    'route unknown to this version': 'done',
  },

  // A job token may read jobs and is answered 401 when it starts one: it is valid, and may not.
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

  // Whatever GitLab does not say of another's pipeline is unknown, which is never over.
  'pipelines.readOwner': { '*': 'unknown', 'no such pipeline in this project': 'over' },
  'pipelines.readOwner of a pipeline that is gone': { '*': 'unknown' },
  'pipelines.readOwner of its jobs': { '*': 'unknown' },
  'pipelines.readLockHolder': { '*': 'unknown' },
  'pipelines.readLastProvisions': { '*': 'unknown' },

  // What is asked is what is missing; what says nothing of it leaves it not probed.
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

/** Conditions and variants that no question of ours can meet, and why. */
export const cannotBe: Readonly<Record<string, string>> = {
  with_system_id: 'jobs are never asked by manager: its link is there only once a job runs',
};

export function expectedOf(by: string, condition: string): Outcome | undefined {
  const own = elsewhere[by] ?? {};
  return own[condition] ?? own['*'] ?? everywhere[condition];
}
