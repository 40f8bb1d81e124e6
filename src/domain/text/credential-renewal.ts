/** State of credentials that a system refused, if it reports more than a refusal. */
export type CredentialState = 'absent' | 'expired' | 'revoked';

interface Renewal {
  /** Name of the credentials in a sentence. */
  readonly name: string;
  readonly renew: string;
}

const renewals = {
  GitLab: {
    name: 'the GitLab token',
    renew:
      'Set another GitLab token in HOSTED_RUNNER_GITLAB_TOKEN (in CI, the variable or secret of this name)',
  },
  GitHub: {
    name: 'the GitHub token',
    renew:
      'Set another GitHub token in HOSTED_RUNNER_GITHUB_TOKEN, or another key of the App (in CI, the variable or secret of this name)',
  },
  Prometheus: {
    name: 'the Prometheus token',
    renew: 'Set another token in HOSTED_RUNNER_PROMETHEUS_TOKEN',
  },
  AWS: {
    name: 'the AWS credentials',
    renew:
      'Renew the AWS credentials: the profile, the role or the keys (in GitLab CI, the input aws_role_arn; on GitHub, aws_role)',
  },
} satisfies Readonly<Record<string, Renewal>>;

/**
 * Returns the credentials of a system, and how an operator renews them.
 * @param source system and request, such as `GitLab GET /runners/5`; AWS's services begin with
 *   other words
 */
export function renewalOf(source: string): Renewal {
  const [system = ''] = source.split(' ');
  return system in renewals ? renewals[system as keyof typeof renewals] : renewals.AWS;
}

/** Returns how to renew the credentials of these sources, one instruction for each system. */
export function renewalsOf(sources: readonly string[]): string {
  return [...new Set(sources.map((source) => renewalOf(source).renew))].join('. ');
}
