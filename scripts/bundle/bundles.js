/**
 * The files of dist/ and what goes into them. What the program imports when it is needed is a boundary:
 * the file that is named here holds it, with what it imports in turn. The longest beginning decides.
 * Whatever more than one file needs is in `shared`.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const bundles = {
  // What every command needs: the process, the command line, the configuration, errors.
  program: [
    'src/app/process',
    'src/app/commands/',
    'src/config/',
    'src/errors/',
    'src/report/event-file/',
    'src/adapters/ci/detect-run',
    'src/adapters/system/event-file-writer',
    'src/adapters/transport/words/',
    'src/cli/command-text',
  ],
  // Every command that looks at a stack or changes one.
  stages: [
    'src/adapters/canary/',
    'src/adapters/ci/',
    'src/adapters/signals/',
    'src/adapters/transport/transport',
    'src/app/',
    'src/cli/terminal/findings-view',
    'src/operator/',
    'src/stages/',
  ],
  endpoint: ['src/report/endpoint/'],
  dashboard: ['src/report/dashboard/'],
  aws: ['src/app/compose/compose-aws', 'src/adapters/aws/'],
  'aws-ec2': ['@aws-sdk/client-ec2'],
  'aws-more': [
    '@aws-sdk/client-auto-scaling',
    '@aws-sdk/client-cloudwatch',
    '@aws-sdk/client-iam',
    '@aws-sdk/client-resource-groups-tagging-api',
  ],
  gitlab: ['src/adapters/gitlab/', 'rate-limiter-flexible'],
  github: ['src/app/compose/compose-github', 'src/adapters/github/', '@octokit/'],
  terraform: ['src/adapters/terraform/', '@actions/exec'],
  command: ['src/adapters/command/', 'execa'],
  // What only a step of GitHub's loads.
  action: ['src/adapters/ci/github/', '@actions/core'],
  terminal: [
    'src/adapters/system/live-line',
    'src/adapters/system/frame',
    'cli-table3',
    'log-update',
  ],
  // Only where a proxy stands before GitLab, GitHub or AWS.
  proxy: ['src/adapters/transport/proxy-tunnels', 'src/adapters/aws/proxy-handler'],
  recording: ['src/app/open-recording', 'src/cli/replay-command'],
  // The root module that `init --terraform` writes.
  'root-module': ['src/cli/starting/root-module'],
  // Commands that ask nobody.
  offline: [
    'src/cli/starting/',
    'src/cli/validate-command',
    'src/cli/verify-command',
    'src/cli/help/explain',
    'src/cli/help/completion',
  ],
};

/**
 * Programs of their own, imported by this path alone: no code of theirs is in the rest's files. The
 * manager is started once for each simulated host.
 */
export const programs = { sandbox: 'sandbox/program', 'sandbox-manager': 'sandbox/manager/child' };

export const sharedBundle = 'shared';

/** Packages that stay in their own file where another one needs them, too: no command loads them by the way. */
export const ownPackages = { undici: 'proxy', hono: 'endpoint' };

/** Beginnings that have decided. @type {Set<string>} */
const used = new Set();

/**
 * Where a module goes that is imported when it is needed.
 * @param {string} module from build/, or as a package is imported
 */
export function bundleOf(module) {
  const [found] = Object.entries(bundles)
    .flatMap(([name, beginnings]) => beginnings.map((beginning) => ({ name, beginning })))
    .filter(({ beginning }) => module.startsWith(beginning))
    .sort((a, b) => b.beginning.length - a.beginning.length);
  if (found === undefined)
    throw new Error(
      `${module} is imported when it is needed, and scripts/bundle/bundles.js has no file for it`,
    );
  used.add(found.beginning);
  return found.name;
}

/** Beginnings that have decided nothing since this was loaded: what they were written for lies elsewhere. */
export function unusedBeginnings() {
  return Object.values(bundles)
    .flat()
    .filter((beginning) => !used.has(beginning));
}
