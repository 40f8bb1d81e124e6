import { gitlabUrl } from '../gitlab-url.ts';
import { key } from '../key.ts';
import { flag, text, whole } from '../values.ts';

const login = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/;
const number = whole('a number', { min: 1, max: 2_147_483_647 });
const parameter = text(
  'the name of a parameter such as /github/app/private_key',
  /^(?:\/[A-Za-z0-9_.-]{1,100}){1,15}$/,
);

const groupName = () => text('the name of a runner group', /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}$/);

/** Keys for GitHub's runners. They contain no secret, only its location. */
export const githubKeys = {
  url: key('github.url', gitlabUrl(), {
    default: 'https://github.com',
    description: 'Address of GitHub or of an Enterprise Server, without /api/v3.',
    only: 'github',
  }),
  organization: key('github.organization', text('the name of an organization', login), {
    description:
      'Organization that owns the runners. Set exactly one of organization, repository and enterprise.',
    otherwise: 'none',
    only: 'github',
  }),
  repository: key(
    'github.repository',
    text(
      'a repository such as acme/app',
      /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98})\/[A-Za-z0-9_.-]{1,100}$/,
    ),
    {
      description: 'Repository that owns the runners.',
      otherwise: 'none',
      only: 'github',
    },
  ),
  enterprise: key('github.enterprise', text('the name of an enterprise', login), {
    description: 'Enterprise that owns the runners.',
    otherwise: 'none',
    only: 'github',
  }),
  runnerGroup: key('github.runner_group', groupName(), {
    default: 'Default',
    description: 'Runner group of a shard that accepts jobs. Not allowed with github.repository.',
    only: 'github',
  }),
  quarantineGroup: key('github.quarantine_group', groupName(), {
    description:
      "Runner group of a candidate before its promotion, visible only to the canary's repository. Needs closed_group.",
    otherwise: 'none, so a candidate also receives jobs that name a group but no label',
    only: 'github',
  }),
  closedGroup: key('github.closed_group', groupName(), {
    description:
      'Runner group of a draining shard, visible to no repository. Needs quarantine_group.',
    otherwise: 'none, so a draining shard also receives jobs that name a group but no label',
    only: 'github',
  }),
  ephemeral: key('github.ephemeral', flag(), {
    default: false,
    description: 'Whether each runner runs one job only and is then removed.',
    only: 'github',
  }),
  appId: key('github.app_id', number, {
    description: 'Id of the GitHub App that administers the runners. Needs installation_id.',
    otherwise: 'none; a token is used',
    only: 'github',
  }),
  installationId: key('github.installation_id', number, {
    description: "Id of the App's installation. Needs app_id.",
    otherwise: 'none',
    only: 'github',
  }),
  secretParameter: key('github.secret_parameter', parameter, {
    description:
      "SecureString in Parameter Store with the token, or with the App's private key if app_id is set.",
    otherwise: 'none; HOSTED_RUNNER_GITHUB_TOKEN or HOSTED_RUNNER_GITHUB_PRIVATE_KEY is read',
    only: 'github',
  }),
};
