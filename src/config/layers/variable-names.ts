/** Variables that are not keys of the file. */
export const ownVariables = [
  { name: 'HOSTED_RUNNER_CONFIG', description: 'Path of the configuration, like --config.' },
  { name: 'HOSTED_RUNNER_RUNNER_NAME', description: 'The stack, like --runner.' },
  { name: 'HOSTED_RUNNER_GITLAB_TOKEN', description: 'Secret: GitLab token with scope api.' },
  {
    name: 'HOSTED_RUNNER_GITHUB_TOKEN',
    description: 'Secret: GitHub token that may administer runners. With runners github.',
  },
  {
    name: 'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
    description: 'Secret: private key (PEM) of the GitHub App. With runners github.',
  },
  {
    name: 'HOSTED_RUNNER_PROMETHEUS_TOKEN',
    description:
      'Secret for bake.signals.prometheus: a bearer token, or the password of HOSTED_RUNNER_PROMETHEUS_USER. Only over https.',
  },
  {
    name: 'HOSTED_RUNNER_PROMETHEUS_USER',
    description: 'User of that password.',
  },
  {
    name: 'HOSTED_RUNNER_WEBHOOK_TOKEN',
    description: 'Secret: bearer token of bake.signals.webhook. Only over https.',
  },
  {
    name: 'HOSTED_RUNNER_DEPLOYMENT',
    description: "The deployment's id, like --deployment. By default from the CI's pipeline.",
  },
  {
    name: 'HOSTED_RUNNER_AGAIN',
    description: 'Reason to deploy again what was rolled back, like --again of prepare and deploy.',
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
      'Time when the job started (ISO 8601), if the CI does not report it. By default now.',
  },
  {
    name: 'HOSTED_RUNNER_AWS_ROLE',
    description:
      'ARN of the role that the program assumes by OIDC and renews on GitHub, like aws_role.',
  },
  {
    name: 'HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS',
    description: "Lifetime of that role's credentials in seconds. By default 3600.",
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
      'Set for the commands of `infrastructure`: the shard to build or destroy. The template of hosted_runner_activate sets it as --shard.',
  },
  {
    name: 'HOSTED_RUNNER_NAME',
    description: 'Set for the commands of `infrastructure`: the runner_name of the stack.',
  },
  {
    name: 'HOSTED_RUNNER_JOB_PREFIX',
    description: 'Set by the templates: the input job_prefix, for the check.',
  },
  {
    name: 'HOSTED_RUNNER_RULES',
    description: 'Set by the templates: the input rules, for the check.',
  },
  {
    name: 'HOSTED_RUNNER_BY_HAND',
    description:
      'Set to true by the templates on manual jobs. The program refuses such a job if no user started it.',
  },
  {
    name: 'HOSTED_RUNNER_REGISTRATION',
    description: "For the template's hosted_runner_activate: --registration.",
  },
  {
    name: 'HOSTED_RUNNER_ADDRESS',
    description: "For the template's hosted_runner_recover_replace: --address.",
  },
  {
    name: 'HOSTED_RUNNER_INSTANCE',
    description: "For the template's hosted_runner_recover_terminate: --instance.",
  },
  // Later jobs of a pipeline get these variables from deployment.env, and must not be refused.
  {
    name: 'HOSTED_RUNNER_ACTIVE_SHARD',
    description:
      'Written to `deployment.env` for later jobs: the active shard at the last check. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_CANDIDATE',
    description: 'Written to `deployment.env`: the shard that the deployment builds. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_RETIRING',
    description: 'Written to `deployment.env`: the shard that the deployment replaces. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_PHASE',
    description:
      'Written to `deployment.env`: the phase that the deployment has reached. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_DEPLOYMENT_ID',
    description: "Written to `deployment.env`: the deployment's id. Not read.",
  },
  {
    name: 'HOSTED_RUNNER_OUTCOME',
    description:
      'Written to `deployment.env`: done, nothing, failed, refused, stopped, unfinished or cancelled. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_JOBS_FINISHED',
    description:
      'Written to `deployment.env` after a drain has started: jobs that finished on the old shard, or unknown. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_JOBS_BROKEN',
    description:
      'Written to `deployment.env`: jobs lost or interrupted during the drain, or unknown. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_LONGEST_WAIT_SECONDS',
    description:
      'Written to `deployment.env`: the longest wait of a customer job for a runner (0 if none), or unknown. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_TWO_SHARDS_SECONDS',
    description:
      'Written to `deployment.env`: the time for which both shards existed, or unknown. Not read.',
  },
] as const;
