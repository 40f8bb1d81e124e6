import { RequestFailure } from './gitlab-api.js';
import { PublishProblem, unchanged } from './problem.js';

const oldest = { major: 17, minor: 5 };

/**
 * Checks that GitLab responds, has a supported version, accepts the token and has the group.
 * @param {import('./gitlab-api.js').GitLabApi} api
 * @param {{ url: string, group: string }} place
 * @returns {Promise<{ version: string, user: string, group: { id: number, full_path: string, visibility: string } }>}
 */
export async function readAccess(api, { url, group }) {
  const { version } = await readVersion(api, url);
  const [major = 0, minor = 0] = String(version).split('.').map(Number);
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
    throw new PublishProblem({
      what: `GitLab ${version} at ${url} is too old; the component needs 17.5 or later.`,
      now: unchanged,
      fix: ['Upgrade GitLab: https://docs.gitlab.com/update/'],
    });
  await checkScopes(api, url);
  const user = await api.read('/user');
  const found = await api.find(`/groups/${encodeURIComponent(group)}?with_projects=false`);
  if (found === undefined)
    throw new PublishProblem({
      what: `The group ${group} does not exist, or ${user.username} cannot see it.`,
      now: unchanged,
      fix: [
        `Create it: ${url}/groups/new`,
        'Or name another group: the same command with --group GROUP.',
      ],
    });
  return { version, user: user.username, group: found };
}

/** @param {import('./gitlab-api.js').GitLabApi} api @param {string} url */
async function readVersion(api, url) {
  try {
    const answer = await api.read('/version');
    if (typeof answer.version === 'string') return answer;
    throw new RequestFailure({
      call: 'GET /version',
      status: 404,
      detail: 'no version',
      isChange: false,
    });
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    if (error.status === 401 || error.status === 403) throw refusedToken(url, error.message);
    const isUnreachable = error.isTransient;
    throw new PublishProblem({
      what: isUnreachable ? `GitLab at ${url} did not respond.` : `${url} is no GitLab.`,
      why: error.message,
      now: unchanged,
      fix: isUnreachable
        ? [
            `Test the connection: curl --head ${url}/api/v4/version`,
            'Behind a private CA: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem GIT_SSL_CAINFO=/path/to/ca.pem',
          ]
        : ['Give the address of the start page: --url https://gitlab.example.com'],
    });
  }
}

/** @param {import('./gitlab-api.js').GitLabApi} api @param {string} url */
async function checkScopes(api, url) {
  // Only access tokens have this resource. Other tokens are checked by the steps.
  const own = await api.find('/personal_access_tokens/self');
  if (own === undefined || !Array.isArray(own.scopes) || own.scopes.includes('api')) return;
  throw new PublishProblem({
    what: `The token "${own.name}" has the scopes ${own.scopes.join(', ')}; this command needs api.`,
    now: unchanged,
    fix: tokenFix(url),
  });
}

/** @param {string} url @param {string} why */
function refusedToken(url, why) {
  return new PublishProblem({
    what: `GitLab at ${url} refused the token in HOSTED_RUNNER_GITLAB_TOKEN.`,
    why,
    now: unchanged,
    fix: tokenFix(url),
  });
}

/** @param {string} url */
export function tokenFix(url) {
  return [
    `Create a token with the scope api: ${url}/-/user_settings/personal_access_tokens`,
    'Then: export HOSTED_RUNNER_GITLAB_TOKEN=glpat-…',
  ];
}
