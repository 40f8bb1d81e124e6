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
      'Secret: what bake.signals.prometheus is asked with, as a bearer token, or as the password of HOSTED_RUNNER_PROMETHEUS_USER. Over https only.',
  },
  {
    name: 'HOSTED_RUNNER_PROMETHEUS_USER',
    description: 'The user to that password.',
  },
  {
    name: 'HOSTED_RUNNER_WEBHOOK_TOKEN',
    description: 'Secret: bearer token of bake.signals.webhook. Over https only.',
  },
  {
    name: 'HOSTED_RUNNER_DEPLOYMENT',
    description: "The deployment's id, like --deployment; the CI's pipeline otherwise.",
  },
  {
    name: 'HOSTED_RUNNER_AGAIN',
    description: 'Why what was taken back is deployed again, like --again of prepare and deploy.',
  },
  {
    name: 'HOSTED_RUNNER_PIPELINE_CREATED_AT',
    description: 'When the pipeline was created (ISO 8601), where the CI does not say it.',
  },
  {
    name: 'HOSTED_RUNNER_JOB_TIMEOUT',
    description: 'How long the job may run, such as 1h, where the CI does not say it.',
  },
  {
    name: 'HOSTED_RUNNER_JOB_STARTED_AT',
    description: 'When the job began (ISO 8601), where the CI does not say it; now otherwise.',
  },
  {
    name: 'HOSTED_RUNNER_AWS_ROLE',
    description: 'On GitHub: ARN of the role that is taken by OIDC and renewed, like aws_role.',
  },
  {
    name: 'HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS',
    description: "How long that role's credentials last each time; 3600 otherwise.",
  },
  {
    name: 'HOSTED_RUNNER_EVIDENCE_FILE',
    description: 'Where every event is appended as a line of JSON, like --evidence-file.',
  },
  {
    name: 'HOSTED_RUNNER_RECORD',
    description:
      'File to which the answers of GitLab or GitHub are appended, fit to be shown: docs/operate/recording.md.',
  },
  {
    name: 'HOSTED_RUNNER_REPORT_DIR',
    description: "Folder for the files of a CI's reports, like --report-dir.",
  },
  {
    name: 'HOSTED_RUNNER_SANDBOX_URL',
    description: 'Set by `hosted-runner sandbox`: everything goes to that sandbox.',
  },
  {
    name: 'HOSTED_RUNNER_SHARD',
    description:
      'Set for the commands of `infrastructure`: the shard that they act on. And by the template for hosted_runner_activate: --shard.',
  },
  {
    name: 'HOSTED_RUNNER_NAME',
    description: 'Set for the commands of `infrastructure`: the runner_name of the stack.',
  },
  {
    name: 'HOSTED_RUNNER_JOB_PREFIX',
    description: 'Set by the templates: the input job_prefix, to be checked.',
  },
  {
    name: 'HOSTED_RUNNER_RULES',
    description: 'Set by the templates: the input rules, to be checked.',
  },
  {
    name: 'HOSTED_RUNNER_BY_HAND',
    description:
      'Set by the templates on jobs that a person has to start: true. The program then refuses a job that was not.',
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
  // A later job of the same pipeline has them from deployment.env, and must not be refused for it.
  {
    name: 'HOSTED_RUNNER_ACTIVE_SHARD',
    description:
      'Said in `deployment.env`, for later jobs: the active shard, as last seen. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_CANDIDATE',
    description: 'Said in `deployment.env`: the shard that the deployment brings up. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_RETIRING',
    description: 'Said in `deployment.env`: the shard that the deployment replaces. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_PHASE',
    description: 'Said in `deployment.env`: the phase that the deployment has reached. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_DEPLOYMENT_ID',
    description: "Said in `deployment.env`: the deployment's id. Not read.",
  },
  {
    name: 'HOSTED_RUNNER_OUTCOME',
    description:
      'Said in `deployment.env`: done, nothing, failed, refused, stopped, unfinished or cancelled. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_JOBS_FINISHED',
    description:
      'Said in `deployment.env` once a drain has begun: jobs that finished on the old shard meanwhile, or unknown. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_JOBS_BROKEN',
    description: 'Said there: jobs lost or interrupted meanwhile, or unknown. Not read.',
  },
  {
    name: 'HOSTED_RUNNER_LONGEST_WAIT_SECONDS',
    description:
      "Said there: the longest wait of a customer's job for a runner, by the CI; 0 if no job waited, or unknown. Not read.",
  },
  {
    name: 'HOSTED_RUNNER_TWO_SHARDS_SECONDS',
    description:
      'Said there: how long both shards existed, by our own clock, or unknown. Not read.',
  },
] as const;
