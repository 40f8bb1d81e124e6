/** A request with a value that GitLab refuses, and its response with the source. */
export interface BadValue {
  readonly operation: string;
  readonly bad: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly body: unknown;
  readonly source: string;
}

/** GitLab's OpenAPI description. Grape, its framework, words these errors. */
const openapi = 'docs.gitlab.com/api/openapi';

const refused = (
  operation: string,
  bad: BadValue['bad'],
  error: string,
  source = openapi,
): BadValue => ({ operation, bad, body: { error }, source });

const oneOf = (operation: string, name: string) =>
  refused(operation, { [name]: 'bogus' }, `${name} does not have a valid value`);
const typed = (operation: string, name: string) =>
  refused(operation, { [name]: 'bogus' }, `${name} is invalid`);

const pages = [
  'GET /projects/101/pipelines',
  'GET /projects/101/pipelines/PIPELINE/jobs',
  'GET /projects/101/runners',
  'GET /groups/10/runners',
  'GET /runners',
  'GET /runners/RUNNER/jobs',
  'GET /projects/101/jobs',
  'GET /projects/101/resource_groups',
];

export const badValues: readonly BadValue[] = [
  ...pages.map((operation) => typed(operation, 'per_page')),
  ...pages.map((operation) =>
    refused(
      operation,
      { per_page: 0 },
      'per_page has a value not allowed',
      'lib/api/pagination_params.rb of GitLab: except_values',
    ),
  ),
  ...['scope', 'status', 'order_by', 'sort', 'source'].map((name) =>
    oneOf('GET /projects/101/pipelines', name),
  ),
  ...['created_after', 'created_before', 'updated_after', 'updated_before', 'yaml_errors'].map(
    (name) => typed('GET /projects/101/pipelines', name),
  ),
  oneOf('GET /projects/101/pipelines/PIPELINE/jobs', 'scope'),
  typed('GET /projects/101/pipelines/PIPELINE/jobs', 'include_retried'),
  oneOf('GET /projects/101/jobs', 'scope'),
  ...['GET /runners', 'GET /projects/101/runners', 'GET /groups/10/runners'].flatMap(
    (operation) => [
      oneOf(operation, 'type'),
      oneOf(operation, 'status'),
      typed(operation, 'paused'),
    ],
  ),
  ...['GET /runners', 'GET /projects/101/runners'].map((operation) => oneOf(operation, 'scope')),
  ...['status', 'order_by', 'sort'].map((name) => oneOf('GET /runners/RUNNER/jobs', name)),
  typed('GET /runners/RUNNER', 'include_projects'),

  oneOf('POST /user/runners', 'runner_type'),
  refused('POST /user/runners', {}, 'runner_type is missing'),
  ...['POST /user/runners', 'PUT /runners/RUNNER'].flatMap((operation) => [
    forGroup(oneOf(operation, 'access_level')),
    ...['paused', 'locked', 'run_untagged', 'maximum_timeout'].map((name) =>
      forGroup(typed(operation, name)),
    ),
  ]),
  {
    operation: 'POST /user/runners',
    bad: { runner_type: 'group_type', group_id: 999 },
    body: { message: '400 Bad request - Missing/invalid group' },
    source: 'lib/api/user_runners.rb of GitLab',
  },
  refused(
    'PUT /runners/RUNNER',
    { active: true, paused: false },
    'active, paused are mutually exclusive',
  ),
  refused('POST /projects/101/runners', {}, 'runner_id is missing'),
  typed('POST /projects/101/runners', 'runner_id'),
  refused('POST /projects/101/pipeline', {}, 'ref is missing'),
  {
    operation: 'POST /projects/101/pipeline',
    bad: { ref: 'bogus' },
    body: { message: { base: ['Reference not found'] } },
    source: 'lib/gitlab/ci/pipeline/chain/validate/repository.rb of GitLab',
  },
  {
    operation: 'POST /projects/101/pipeline',
    bad: { ref: 'main', inputs: { bogus: 'x' } },
    body: {
      message: {
        base: [
          'Given inputs not defined in the `spec` section of the included configuration file: bogus.',
        ],
      },
    },
    source: 'lib/gitlab/ci/config/interpolation/inputs.rb of GitLab',
  },
  refused(
    'POST /projects/101/pipeline',
    { ref: 'main', variables: 'bogus' },
    'variables is invalid',
  ),
  oneOf('PUT /projects/101/resource_groups/hosted-runner%2Flinux', 'process_mode'),
  typed('POST /projects/101/jobs/JOB/cancel', 'force'),
  ...[
    'GET /projects/999/pipelines',
    'GET /projects/bogus/jobs',
    'POST /projects/999/pipeline',
    'PUT /projects/999',
  ].map((operation) => missing(operation, 'Project Not Found')),
  missing('GET /groups/999/runners', 'Group Not Found'),
  missing('GET /projects/101/pipelines/999', 'Not found'),
  missing('GET /projects/101/jobs/999', 'Not found'),
  missing('POST /projects/101/jobs/999/cancel', 'Not found'),
  {
    operation: 'PUT /runners/999',
    bad: {},
    body: {
      error:
        'description, active, paused, tag_list, run_untagged, locked, access_level, maximum_timeout, maintenance_note are missing, at least one parameter must be provided',
    },
    source: 'lib/api/ci/runners.rb of GitLab: Grape validates before the endpoint looks',
  },
  missing('GET /runners/999', 'Runner Not Found'),
  missing('DELETE /runners/999', 'Runner Not Found'),
  missing('GET /projects/101/resource_groups/bogus', 'Not found'),
];

function forGroup(row: BadValue): BadValue {
  if (!row.operation.startsWith('POST')) return row;
  return { ...row, bad: { runner_type: 'group_type', group_id: 10, ...row.bad } };
}

function missing(operation: string, text: string): BadValue {
  const body = { message: `404 ${text}` };
  return { operation, bad: {}, status: 404, body, source: 'lib/api/helpers.rb of GitLab' };
}
