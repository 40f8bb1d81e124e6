export const exitCodes = `
Exit codes:
  0    done, or nothing to do and why
  1    failed; now says which shard serves; run again or recover
  2    bad input; no shard was touched
  3    stopped: the facts contradict each other; a person must look
  75   not finished yet; run again
  130  cancelled`;

/** For somebody who typed nothing but the name. */
export const shortHelp = `hosted-runner replaces the GitLab runners of a stack on AWS and loses no job.

  hosted-runner demo      watch whole deployments in a sandbox; needs no account
  hosted-runner init      write hosted-runners.yml for this repository
  hosted-runner status    both shards of every stack at a glance

All commands: hosted-runner --help
`;
