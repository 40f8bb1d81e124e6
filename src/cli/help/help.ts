export const exitCodes = `
Exit codes:
  0    succeeded, or nothing to do (the reason is printed)
  1    failed; "now:" names the shard that accepts jobs; run again or recover
  2    invalid input; no shard was touched
  3    stopped, for example because facts conflict; an operator must decide
  75   not finished yet; run again
  130  cancelled`;

/** Help for a command line without arguments. */
export const shortHelp = `hosted-runner replaces the GitLab runners of a stack on AWS without losing a job.

  hosted-runner demo      run whole deployments in a sandbox; needs no account
  hosted-runner init      write hosted-runners.yml for this repository
  hosted-runner status    show both shards of every stack

All commands: hosted-runner --help
`;
