import type { Folder } from './folder.ts';

/** Facts that `init` finds by itself; unknown facts are absent. */
export interface Repository {
  readonly ci: 'gitlab' | 'github';
  /** Reason for the CI. */
  readonly ciReason: string;
  readonly gitlabUrl?: string;
  readonly gitlabUrlReason?: string;
  readonly projectPath?: string;
  /** Ids of the owner and the repository on GitHub, if a workflow provides them. */
  readonly gitHubIds?: { readonly owner: string; readonly repository: string };
  readonly infrastructure?: FoundInfrastructure;
}

export interface FoundInfrastructure {
  readonly kind: 'terraform' | 'pulumi' | 'cdk';
  /** Path of the folder; `.` for the repository root. */
  readonly directory: string;
}

export async function exploreRepository({
  folder,
  environment,
  ci,
}: {
  folder: Folder;
  environment: Readonly<Record<string, string | undefined>>;
  ci?: 'gitlab' | 'github' | undefined;
}): Promise<Repository> {
  const remote = parseRemote((await folder.read('.git/config').catch(() => undefined)) ?? '');
  const chosen = await chooseCi({ folder, environment, ci, remote });
  const url = chooseUrl({ environment, ci: chosen.ci, remote });
  const infrastructure = await findInfrastructure(folder, '.', 3);
  return {
    ...chosen,
    ...url,
    ...(remote === undefined ? {} : { projectPath: remote.path }),
    ...gitHubIds(environment),
    ...(infrastructure === undefined ? {} : { infrastructure }),
  };
}

// https://docs.github.com/actions/reference/workflows-and-actions/variables
function gitHubIds(
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Repository, 'gitHubIds'> {
  const owner = environment['GITHUB_REPOSITORY_OWNER_ID'] ?? '';
  const repository = environment['GITHUB_REPOSITORY_ID'] ?? '';
  if (!/^\d+$/.test(owner) || !/^\d+$/.test(repository)) return {};
  return { gitHubIds: { owner, repository } };
}

interface Remote {
  readonly host: string;
  readonly path: string;
}

/**
 * Parses the URL of `origin`, or else of the first remote. Any text before an `@` may be a token
 * and is dropped.
 */
export function parseRemote(gitConfig: string): Remote | undefined {
  const remotes = [...gitConfig.matchAll(/\[remote "([^"\n]+)"\]([^[]*)/g)];
  const chosen = remotes.find(([, name]) => name === 'origin') ?? remotes[0];
  const url = chosen?.[2]?.match(/^\s*url\s*=\s*(\S+)\s*$/m)?.[1] ?? '';
  const match =
    /^(?:https?|ssh|git):\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+)(?::\d+)?\/(.+)$/.exec(url) ??
    /^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/)(.+)$/.exec(url);
  const [, host, path] = match ?? [];
  const plain = path?.replace(/\.git\/?$/, '').replace(/\/$/, '') ?? '';
  if (host === undefined || !/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(plain)) return undefined;
  return { host: host.toLowerCase(), path: plain };
}

async function chooseCi({
  folder,
  environment,
  ci,
  remote,
}: {
  folder: Folder;
  environment: Readonly<Record<string, string | undefined>>;
  ci: 'gitlab' | 'github' | undefined;
  remote: Remote | undefined;
}): Promise<{ ci: 'gitlab' | 'github'; ciReason: string }> {
  if (ci !== undefined) return { ci, ciReason: '--ci names it' };
  if (environment['GITHUB_ACTIONS'] === 'true')
    return { ci: 'github', ciReason: 'it runs this command' };
  if (environment['GITLAB_CI'] === 'true')
    return { ci: 'gitlab', ciReason: 'it runs this command' };
  if (remote?.host === 'github.com')
    return { ci: 'github', ciReason: 'the git remote points to it' };
  if (remote !== undefined && /(^|\.)gitlab/.test(remote.host)) {
    return { ci: 'gitlab', ciReason: 'the git remote points to it' };
  }
  const workflows = await folder.list('.github/workflows');
  const pipeline = await folder.read('.gitlab-ci.yml');
  if (pipeline === undefined && workflows.length > 0) {
    return { ci: 'github', ciReason: '.github/workflows exists' };
  }
  if (pipeline !== undefined) return { ci: 'gitlab', ciReason: '.gitlab-ci.yml exists' };
  return { ci: 'gitlab', ciReason: 'no other CI was detected' };
}

function chooseUrl({
  environment,
  ci,
  remote,
}: {
  environment: Readonly<Record<string, string | undefined>>;
  ci: 'gitlab' | 'github';
  remote: Remote | undefined;
}): Pick<Repository, 'gitlabUrl' | 'gitlabUrlReason'> {
  const server = environment['CI_SERVER_URL'] ?? '';
  if (/^https:\/\/[A-Za-z0-9.:/-]+$/.test(server)) {
    return { gitlabUrl: server, gitlabUrlReason: 'CI_SERVER_URL' };
  }
  if (ci === 'gitlab' && remote !== undefined && remote.host !== 'github.com') {
    return { gitlabUrl: `https://${remote.host}`, gitlabUrlReason: 'the git remote' };
  }
  return {};
}

const skipped = ['node_modules', 'vendor', 'dist', 'build'];

/** Finds the nearest directory with infrastructure code. */
async function findInfrastructure(
  folder: Folder,
  directory: string,
  depth: number,
): Promise<FoundInfrastructure | undefined> {
  const entries = await folder.list(directory);
  const files = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name);
  if (files.some((name) => /^Pulumi\.ya?ml$/.test(name))) return { kind: 'pulumi', directory };
  if (files.includes('cdk.json')) return { kind: 'cdk', directory };
  if (files.some((name) => name.endsWith('.tf'))) return { kind: 'terraform', directory };
  if (depth === 0) return undefined;
  const inner = entries
    .filter(({ name, kind }) => kind === 'directory' && !skipped.includes(name))
    // Names that need quotes in the configuration are left out.
    .filter(({ name }) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name))
    .map(({ name }) => (directory === '.' ? name : `${directory}/${name}`))
    .sort();
  for (const next of inner) {
    const found = await findInfrastructure(folder, next, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
