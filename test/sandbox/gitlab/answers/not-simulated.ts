/** Conditions of the data that the sandbox cannot have, with reasons. */
export const notSimulated: Readonly<Record<string, string>> = {
  'POST /projects/:id/pipeline: no jobs pass the rules':
    'the sandbox’s projects have no rules that could keep every job out',
};

/** Conditions that the data lists but that cannot occur there. */
export const cannotBe: Readonly<Record<string, string>> = {
  'GET /personal_access_tokens/self: token lacks every scope of the endpoint':
    'every scope opens it',
  'GET /personal_access_tokens/self: parameter invalid': 'it has no parameter',
  'GET /projects/:id: parameter invalid': 'a project that is no number is a path',
  'GET /groups/:id: parameter invalid': 'a group that is no number is a path',
  'GET /user: parameter invalid': 'it has no parameter',
  'GET /metadata: parameter invalid': 'it has no parameter',
  'DELETE /projects/:id/runners/:runner_id: locked, not for administrators (19.x only)':
    'its own words say that it is another version’s',
  'GET /personal_access_tokens/self: OAuth or job token (newer versions)':
    'its own words say that it is another version’s',
};

/** Fields in which the data and the sandbox differ. */
export const differingFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /projects/:id/pipeline': {
    status: 'the data writes one status of all pipelines; this one was just made and waits',
  },
  'POST /projects/:id/jobs/:job_id/play': {
    runner_manager:
      'a job that was just played has no runner, as the data says itself, so no manager',
  },
};
