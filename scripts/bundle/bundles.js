/**
 * Files of dist/ and their content. A module that is imported on demand goes to the file with the
 * longest matching path prefix, together with its own imports. Modules that several files need go
 * to `shared`.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const bundles = {
  // Needed by every command: the process, the command line, the configuration, errors.
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
  // Commands that read or change a stack.
  stages: [
    'src/adapters/canary/',
    'src/adapters/ci/',
    'src/adapters/signals/',
    'src/adapters/transport/transport',
    'src/app/',
    'src/cli/terminal/findings-view',
    'src/cli/terminal/setup-view',
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
  // Loaded only by a step of a GitHub workflow.
  action: ['src/adapters/ci/github/', '@actions/core'],
  terminal: [
    'src/adapters/system/live-line',
    'src/adapters/system/frame',
    'cli-table3',
    'log-update',
  ],
  // Loaded only with a proxy before GitLab, GitHub or AWS.
  proxy: ['src/adapters/transport/proxy-tunnels', 'src/adapters/aws/proxy-handler'],
  recording: ['src/app/open-recording', 'src/cli/replay-command'],
  // The root module that `init --terraform` writes.
  'root-module': ['src/cli/starting/root-module'],
  // Commands without external queries.
  offline: [
    'src/cli/starting/',
    'src/cli/validate-command',
    'src/cli/verify-command',
    'src/cli/help/explain',
    'src/cli/help/completion',
  ],
};

/**
 * Separate programs, imported only by this path: the other files contain none of their code. The
 * manager is started once per simulated host.
 */
export const programs = { sandbox: 'sandbox/program', 'sandbox-manager': 'sandbox/manager/child' };

export const sharedBundle = 'shared';

/**
 * Packages that stay in their own file even if another file needs them, so no command loads them by
 * accident.
 */
export const ownPackages = { undici: 'proxy', hono: 'endpoint' };

/** Path prefixes that have matched. @type {Set<string>} */
const used = new Set();

/**
 * Returns the file for a module that is imported on demand.
 * @param {string} module path from build/, or name of a package
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

/** Lists path prefixes that have matched nothing: their modules are now elsewhere. */
export function unusedBeginnings() {
  return Object.values(bundles)
    .flat()
    .filter((beginning) => !used.has(beginning));
}
