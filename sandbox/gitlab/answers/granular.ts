import { Refusal } from './refusal.ts';

/**
 * What each call that a deployment makes takes of a fine-grained token: `route_setting :authorization` in
 * lib/api/ci/runners.rb, lib/api/user_runners.rb, lib/api/ci/pipelines.rb and lib/api/ci/jobs.rb of 19.3.
 * Those of members, of `/user` and of a job that is retried or played follow GitLab's rules for names.
 */
const permissions: readonly (readonly [string, RegExp, string])[] = [
  ['POST', /^\/user\/runners$/, 'create_runner'],
  ['POST', /^\/projects\/[^/]+\/runners$/, 'assign_runner'],
  ['DELETE', /^\/projects\/[^/]+\/runners\/\d+$/, 'unassign_runner'],
  ['GET', /^\/(?:(?:groups|projects)\/[^/]+\/)?runners(?:\/|$)/, 'read_runner'],
  ['PUT', /^\/runners\/\d+$/, 'update_runner'],
  ['POST', /^\/runners\/\d+\/reset_authentication_token$/, 'update_runner'],
  ['DELETE', /^\/runners\/\d+$/, 'delete_runner'],
  ['POST', /^\/projects\/[^/]+\/pipeline$/, 'create_pipeline'],
  ['GET', /^\/projects\/[^/]+\/(?:pipelines\/\d+\/)?jobs(?:\/|$)/, 'read_job'],
  ['GET', /^\/projects\/[^/]+\/pipelines(?:\/|$)/, 'read_pipeline'],
  ['POST', /^\/projects\/[^/]+\/jobs\/\d+\/cancel$/, 'cancel_job'],
  ['POST', /^\/projects\/[^/]+\/jobs\/\d+\/retry$/, 'retry_job'],
  ['POST', /^\/projects\/[^/]+\/jobs\/\d+\/play$/, 'play_job'],
  ['GET', /^\/(?:groups|projects)\/[^/]+\/members\//, 'read_member'],
  ['GET', /^\/projects\/[^/]+$/, 'read_project'],
  ['GET', /^\/user$/, 'read_user'],
  ['GET', /^\/(?:metadata|version)$/, 'read_metadata'],
];

/** A call that nobody has listed is open to no fine-grained token. A token may always see itself. */
export function requirePermission(
  { method, path }: { method: string; path: string },
  granted: readonly string[],
): void {
  const call = path.replace(/^\/api\/v4/, '');
  if (call === '/personal_access_tokens/self') return;
  const [, , needed = 'unlisted'] =
    permissions.find(([verb, pattern]) => verb === method && pattern.test(call)) ?? [];
  if (!granted.includes(needed)) throw insufficientGranularScope(needed);
}

function insufficientGranularScope(needed: string): Refusal {
  return new Refusal(403, {
    error: 'insufficient_granular_scope',
    error_description: `Access denied: Your Personal Access Token lacks the required permissions: [${needed}].`,
  });
}
