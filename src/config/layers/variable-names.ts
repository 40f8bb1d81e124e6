/** Variables that are not keys of the file. */
export const ownVariables = [
  { name: 'HOSTED_RUNNER_CONFIG', description: 'Path of the configuration, like --config.' },
  { name: 'HOSTED_RUNNER_RUNNER_NAME', description: 'The stack, like --runner.' },
  { name: 'HOSTED_RUNNER_GITLAB_TOKEN', description: 'Secret: GitLab token with scope api.' },
  {
    name: 'HOSTED_RUNNER_GITHUB_TOKEN',
    description: 'Secret for runners github: GitHub token that may administer runners.',
  },
  {
    name: 'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
    description: 'Secret for runners github: private key (PEM) of the GitHub App.',
  },
  {
    name: 'HOSTED_RUNNER_PROMETHEUS_TOKEN',
    description:
      'Secret for bake.signals.prometheus: a bearer token, or the password of HOSTED_RUNNER_PROMETHEUS_USER. Only over https.',
  },
  {
    name: 'HOSTED_RUNNER_PROMETHEUS_USER',
    description: 'User name, if HOSTED_RUNNER_PROMETHEUS_TOKEN is a password.',
  },
  {
    name: 'HOSTED_RUNNER_WEBHOOK_TOKEN',
    description: 'Secret: bearer token of bake.signals.webhook. Only over https.',
  },
  {
    name: 'HOSTED_RUNNER_DEPLOYMENT',
    description:
      "Id of the deployment, like --deployment. Default: derived from the CI's pipeline.",
  },
  {
    name: 'HOSTED_RUNNER_AGAIN',
    description:
      'Reason to redeploy a rolled-back configuration, like --again of prepare and deploy.',
  },
  {
    name: 'HOSTED_RUNNER_PIPELINE_CREATED_AT',
    description: 'Time when the pipeline was created (ISO 8601), if the CI does not report it.',
  },
  {
    name: 'HOSTED_RUNNER_JOB_TIMEOUT',
    description: 'Timeout of the job, such as 1h, if the CI does not report it.',
  },
  {
    name: 'HOSTED_RUNNER_JOB_STARTED_AT',
    description:
      'Time when the job started (ISO 8601), if the CI does not report it. Default: the current time.',
  },
  {
    name: 'HOSTED_RUNNER_AWS_ROLE',
    description:
      'On GitHub, ARN of the role that the program assumes by OIDC and renews, like the input aws_role.',
  },
  {
    name: 'HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS',
    description: "Lifetime of that role's credentials in seconds. Default: 3600.",
  },
  {
    name: 'HOSTED_RUNNER_EVIDENCE_FILE',
    description: 'File to which every event is appended as a JSON line, like --evidence-file.',
  },
  {
    name: 'HOSTED_RUNNER_RECORD',
    description:
      'File to which redacted responses of GitLab or GitHub are appended: docs/operate/recording.md.',
  },
  {
    name: 'HOSTED_RUNNER_REPORT_DIR',
    description: 'Folder for report files, like --report-dir.',
  },
  {
    name: 'HOSTED_RUNNER_SANDBOX_URL',
    description: 'Set by `hosted-runner sandbox`: address of the sandbox for all calls.',
  },
  {
    name: 'HOSTED_RUNNER_SHARD',
    description:
      'Set for the commands of `infrastructure`: the shard to build or destroy. In hosted_runner_activate, the value of --shard.',
  },
  {
    name: 'HOSTED_RUNNER_NAME',
    description: 'Set for the commands of `infrastructure`: the runner_name of the stack.',
  },
  {
    name: 'HOSTED_RUNNER_JOB_PREFIX',
    description: 'Set by the templates: the input job_prefix, which hosted-runner checks.',
  },
  {
    name: 'HOSTED_RUNNER_RULES',
    description: 'Set by the templates: the input rules, which hosted-runner checks.',
  },
  {
    name: 'HOSTED_RUNNER_BY_HAND',
    description:
      'Set to true by the templates on manual jobs. The program refuses such a job if no user started it.',
  },
  {
    name: 'HOSTED_RUNNER_REGISTRATION',
    description: 'For hosted_runner_activate: value of --registration.',
  },
  {
    name: 'HOSTED_RUNNER_ADDRESS',
    description: 'For hosted_runner_recover_replace: value of --address.',
  },
  {
    name: 'HOSTED_RUNNER_INSTANCE',
    description: 'For hosted_runner_recover_terminate: value of --instance.',
  },
  // Later jobs of a pipeline get these variables from deployment.env, and must not be refused.
  {
    name: 'HOSTED_RUNNER_ACTIVE_SHARD',
    description:
      'Only written, to `deployment.env` for later jobs: the active shard at the last check.',
  },
  {
    name: 'HOSTED_RUNNER_CANDIDATE',
    description: 'Only written, to `deployment.env`: the shard that the deployment builds.',
  },
  {
    name: 'HOSTED_RUNNER_RETIRING',
    description: 'Only written, to `deployment.env`: the shard that the deployment replaces.',
  },
  {
    name: 'HOSTED_RUNNER_PHASE',
    description: 'Only written, to `deployment.env`: the phase that the deployment has reached.',
  },
  {
    name: 'HOSTED_RUNNER_DEPLOYMENT_ID',
    description: "Only written, to `deployment.env`: the deployment's id.",
  },
  {
    name: 'HOSTED_RUNNER_OUTCOME',
    description:
      'Only written, to `deployment.env`: done, nothing, failed, refused, stopped, unfinished or cancelled.',
  },
  {
    name: 'HOSTED_RUNNER_JOBS_FINISHED',
    description:
      'Only written, to `deployment.env` once a drain has started: jobs that finished on the old shard, or unknown.',
  },
  {
    name: 'HOSTED_RUNNER_JOBS_BROKEN',
    description:
      'Only written, to `deployment.env`: jobs lost or interrupted during the drain, or unknown.',
  },
  {
    name: 'HOSTED_RUNNER_LONGEST_WAIT_SECONDS',
    description:
      'Only written, to `deployment.env`: the longest wait of a customer job for a runner (0 if none), or unknown.',
  },
  {
    name: 'HOSTED_RUNNER_TWO_SHARDS_SECONDS',
    description:
      'Only written, to `deployment.env`: the time for which both shards existed, or unknown.',
  },
] as const;
