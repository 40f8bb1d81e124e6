import type { Instance } from '../instance.ts';
import { Refusal } from './refusal.ts';

/** Permission as shown on the page that creates a token, and its name in GitLab's code. */
interface Permission {
  readonly listed: string;
  readonly raw: readonly string[];
}

const listedBy = (listed: string, ...raw: string[]): Permission => ({ listed, raw });
const readRunner = listedBy('Runner: Read', 'read_runner');
const updateRunner = listedBy('Runner: Update', 'update_runner');
const assignRunner = listedBy('Runner: Assign', 'assign_runner', 'unassign_runner');
const readPipeline = listedBy('Pipeline: Read', 'read_pipeline');
const readJob = listedBy('Job: Read', 'read_job');
const runJob = listedBy('Job: Run', 'retry_job', 'play_job', 'run_job');
const readProject = listedBy('Project: Read', 'read_project');

/**
 * Permissions by the calls of a deployment: doc/auth/tokens/fine_grained_access_tokens_rest.md of
 * 19.4.
 */
const permissions: readonly (readonly [string, RegExp, Permission])[] = [
  ['POST', /^\/user\/runners$/, listedBy('Runner: Create', 'create_runner')],
  ['POST', /^\/projects\/[^/]+\/runners$/, assignRunner],
  ['DELETE', /^\/projects\/[^/]+\/runners\/\d+$/, assignRunner],
  ['GET', /^\/(?:(?:groups|projects)\/[^/]+\/)?runners(?:\/|$)/, readRunner],
  ['PUT', /^\/runners\/\d+$/, updateRunner],
  ['POST', /^\/runners\/\d+\/reset_authentication_token$/, updateRunner],
  ['DELETE', /^\/runners\/\d+$/, listedBy('Runner: Delete', 'delete_runner')],
  ['POST', /^\/projects\/[^/]+\/pipeline$/, listedBy('Pipeline: Create', 'create_pipeline')],
  ['GET', /^\/projects\/[^/]+\/pipelines(?:\/|$)/, readPipeline],
  ['GET', /^\/projects\/[^/]+\/jobs(?:\/|$)/, readJob],
  [
    'POST',
    /^\/projects\/[^/]+\/jobs\/\d+\/cancel$/,
    listedBy('Job: Update', 'cancel_job', 'update_job'),
  ],
  ['POST', /^\/projects\/[^/]+\/jobs\/\d+\/(?:retry|play)$/, runJob],
  [
    'GET',
    /^\/(?:groups|projects)\/[^/]+\/variables(?:\/|$)/,
    listedBy('Variable: Read', 'read_variable'),
  ],
  ['POST', /^\/projects\/[^/]+\/variables$/, listedBy('Variable: Create', 'create_variable')],
  ['PUT', /^\/projects\/[^/]+\/variables\/[^/]+$/, listedBy('Variable: Update', 'update_variable')],
  ['GET', /^\/projects\/[^/]+\/ci\/lint$/, listedBy('CI Config: Read', 'read_ci_config')],
  [
    'GET',
    /^\/projects\/[^/]+\/resource_groups(?:\/|$)/,
    listedBy('Resource Group: Read', 'read_resource_group'),
  ],
  [
    'PUT',
    /^\/projects\/[^/]+\/resource_groups\/[^/]+$/,
    listedBy('Resource Group: Update', 'update_resource_group'),
  ],
  [
    'GET',
    /^\/projects\/[^/]+\/pipeline_schedules$/,
    listedBy('Pipeline Schedule: Read', 'read_pipeline_schedule'),
  ],
  [
    'POST',
    /^\/projects\/[^/]+\/pipeline_schedules$/,
    listedBy('Pipeline Schedule: Create', 'create_pipeline_schedule'),
  ],
  ['PUT', /^\/projects\/[^/]+$/, listedBy('Project: Update', 'update_project')],
  ['GET', /^\/(?:groups|projects)\/[^/]+\/members\//, listedBy('Member: Read', 'read_member')],
  ['GET', /^\/projects\/[^/]+$/, readProject],
  ['GET', /^\/namespaces\/[^/]+$/, listedBy('Namespace: Read', 'read_namespace')],
  ['GET', /^\/application\/plan_limits$/, listedBy('Plan Limit: Read', 'read_plan_limit')],
  ['GET', /^\/user$/, listedBy('User: Read', 'read_user')],
  [
    'GET',
    /^\/personal_access_tokens\/self$/,
    listedBy('Personal Access Token: Read', 'read_personal_access_token'),
  ],
  ['GET', /^\/(?:metadata|version)$/, listedBy('Metadata: Read', 'read_metadata')],
];

/**
 * Refuses a call without the permission. A call without a matching permission is closed to every
 * fine-grained token.
 */
export function requirePermission(
  instance: Instance,
  { method, path }: { method: string; path: string },
  granted: readonly string[],
): void {
  const call = path.replace(/^\/api\/v4/, '');
  const [, , needed] =
    permissions.find(([verb, pattern]) => verb === method && pattern.test(call)) ?? [];
  if (needed === undefined)
    throw insufficient("This operation doesn't support fine-grained personal access tokens.");
  if (holds(granted, needed)) return;
  throw insufficient(
    `This operation requires a fine-grained personal access token with the following ${boundaryOf(instance, call)} permissions: [${needed.listed}].`,
  );
}

/**
 * Decides whether a GraphQL query may read an object. Without the permission, the object is null
 * and no permission is named (lib/gitlab/graphql/authz/granular_scope_authorization.rb, `ok?`).
 */
export function mayQuery(
  granted: readonly string[] | undefined,
  type: 'CiRunner' | 'Project',
): boolean {
  return granted === undefined || holds(granted, type === 'CiRunner' ? readRunner : readProject);
}

function holds(granted: readonly string[], { listed, raw }: Permission): boolean {
  return granted.some((one) => one === listed || raw.includes(one));
}

/**
 * Returns the place at which the permission must be granted. For a runner, this is its owner's
 * place.
 */
function boundaryOf(instance: Instance, call: string): string {
  if (/^\/(?:user|namespaces|personal_access_tokens)(?:\/|$)/.test(call)) return 'user';
  const [, place] = /^\/(group|project)s\//.exec(call) ?? [];
  if (place !== undefined) return place;
  const [, id] = /^\/runners\/(\d+)/.exec(call) ?? [];
  const runner = instance.state.runners.find((one) => String(one.id) === id);
  return runner?.type.replace('_type', '') ?? 'instance';
}

/**
 * Creates the refusal, as in app/services/authz/tokens/authorize_granular_scopes_service.rb of
 * 19.4.
 */
function insufficient(sentence: string): Refusal {
  return new Refusal(403, {
    error: 'insufficient_granular_scope',
    error_description: `Access denied: ${sentence}`,
  });
}
