/** What a person renews who is refused, and where it is given; for errors and for doctor. */
export const credentialsToRenew =
  "HOSTED_RUNNER_GITLAB_TOKEN for GitLab, HOSTED_RUNNER_GITHUB_TOKEN or the App's key for GitHub, the role or keys for AWS";
