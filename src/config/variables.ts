/** Variables that are not keys of the file. */
export const ownVariables = [
  { name: 'HOSTED_RUNNER_CONFIG', description: 'Path of the configuration, like --config.' },
  { name: 'HOSTED_RUNNER_RUNNER_NAME', description: 'The stack, like --runner.' },
  { name: 'HOSTED_RUNNER_GITLAB_TOKEN', description: 'Secret: GitLab token with scope api.' },
  {
    name: 'HOSTED_RUNNER_DEPLOYMENT',
    description: "The deployment's id, like --deployment; the CI's pipeline otherwise.",
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
    name: 'HOSTED_RUNNER_CANARY_TAG',
    description: "The canary's tag, where it is not the pipeline's own.",
  },
  {
    name: 'HOSTED_RUNNER_EVIDENCE_FILE',
    description: 'Where the evidence is written as JUnit, like --evidence-file.',
  },
  { name: 'HOSTED_RUNNER_LOG', description: 'How much is logged: normal or debug.' },
  {
    name: 'HOSTED_RUNNER_SANDBOX_URL',
    description: 'Set by `hosted-runner sandbox`: everything goes to that sandbox.',
  },
  {
    name: 'HOSTED_RUNNER_SHARD',
    description: 'Set for the commands of `infrastructure`: the shard that they act on.',
  },
  {
    name: 'HOSTED_RUNNER_NAME',
    description: 'Set for the commands of `infrastructure`: the runner_name of the stack.',
  },
] as const;
