import type { Repository } from './repository.ts';
import { formatTerraformList, placeholder, type StartValues } from './start-values.ts';
import { renderSubjects } from './starter.ts';

/** Renders the variables of the bootstrap root module, with all known values. */
export function renderBootstrapValues(
  repository: Repository,
  { stacks, region = placeholder, bucket = placeholder, gitlabUrl = placeholder }: StartValues,
): string {
  const isGitHub = repository.ci === 'github';
  const url = isGitHub ? 'https://token.actions.githubusercontent.com' : gitlabUrl;
  // AWS attaches at most ten policies to a role unless the account has a higher quota.
  const quota =
    stacks.length > 3
      ? '\n# Each stack adds three policies to the role. Increase the quota of ten policies for each role.'
      : '';
  return `# An administrator applies this root module once. All variables: variables.tf${quota}
region   = "${region}"
stacks   = ${formatTerraformList(stacks.map(({ name }) => name))}
bucket   = "${bucket}"
oidc_url = "${url.replace(/\/$/, '')}"

# The jobs that may deploy. Patterns are refused.
oidc_subjects = ${formatTerraformList(subjectsOf(repository))}

# Set it if the account has an identity provider for oidc_url.
# oidc_provider_arn = "arn:aws:iam::111122223333:oidc-provider/${url.replace('https://', '')}"
`;
}

function subjectsOf(repository: Repository): readonly string[] {
  if (repository.ci === 'gitlab')
    return [`project_path:${repository.projectPath ?? 'FILL_IN'}:ref_type:branch:ref:main`];
  const { lines, idsCommand } = renderSubjects(repository);
  // Without the ids, only one of the two forms is known.
  const known = lines.filter((line) => line.startsWith('repo:'));
  return idsCommand === undefined ? known : known.slice(0, 1);
}
