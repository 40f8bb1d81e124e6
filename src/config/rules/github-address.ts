import { isLoopback } from '../../domain/loopback.ts';
import { show } from '../../domain/text/show.ts';
import type { Environment } from '../layers/overrides.ts';
import type { Problem } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';

/**
 * Returns the address of GitHub's REST API for `github.url`.
 * https://docs.github.com/enterprise-server/rest/quickstart. A tenant of GitHub Enterprise Cloud
 * with data residency has its API beside it (actions/runner v2.336.0, UrlUtil.cs).
 */
export function githubApi(url: string): string {
  const { protocol, host, hostname } = new URL(url);
  const isHosted = hostname === 'github.com' || /^[^.]+\.ghe\.com$/.test(hostname);
  return isHosted ? `${protocol}//api.${host}` : `${url}/api/v3`;
}

/**
 * Refuses a workflow of another GitHub. A workflow's own token belongs to the GitHub that runs the
 * workflow. On an Enterprise Server, the file must name that GitHub, because the token is sent
 * nowhere else.
 */
export function findForeignApi(keys: ResolvedKeys, environment: Environment): Problem[] {
  const [text = '', url] = [environment['GITHUB_API_URL'], keys.get('github.url')];
  if (environment['GITHUB_ACTIONS'] !== 'true' || url === undefined || text === '') return [];
  const api = URL.canParse(text) ? new URL(text) : undefined;
  if (api !== undefined && isLoopback(api.hostname)) return [];
  const own = githubApi(url);
  if (api?.href.replace(/\/$/, '') === own) return [];
  const problem = `GITHUB_API_URL is ${show(text)}, but the API of ${url} is ${own}; write the address of the GitHub that runs this workflow into the file`;
  return [keys.problem('github.url', problem)];
}
