import type { Repository } from './repository.ts';
import { renderSubjects } from './starter.ts';

/** Renders the variables of the bootstrap root module, with all values that `init` detected. */
export function renderBootstrapValues(
  repository: Repository,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { AWS_REGION: region = '', AWS_DEFAULT_REGION: usual = '' } = environment;
  const found = [region, usual].find((one) => /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(one));
  const isGitHub = repository.ci === 'github';
  const { gitlabUrl = 'FILL_IN' } = repository;
  const url = isGitHub ? 'https://token.actions.githubusercontent.com' : gitlabUrl;
  return `# An administrator applies this root module once. All variables: variables.tf
region   = "${found ?? 'FILL_IN'}"
stacks   = ["linux"]
bucket   = "FILL_IN"
oidc_url = "${url.replace(/\/$/, '')}"

# The jobs that may deploy. Patterns are refused.
oidc_subjects = [${subjectsOf(repository)
    .map((subject) => JSON.stringify(subject))
    .join(', ')}]

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
