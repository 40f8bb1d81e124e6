/**
 * Credentials that an operator renews after a refusal, and their sources; for errors and doctor.
 */
export const credentialsToRenew =
  "HOSTED_RUNNER_GITLAB_TOKEN for GitLab, HOSTED_RUNNER_GITHUB_TOKEN or the App's key for GitHub, the role or keys for AWS";
