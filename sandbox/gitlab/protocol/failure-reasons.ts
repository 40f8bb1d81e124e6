/** Reasons that this GitLab supports. A runner maps newer ones onto these. */
export const FAILURE_REASONS: readonly string[] = [
  'unknown_failure',
  'script_failure',
  'runner_system_failure',
  'runner_interrupted',
  'job_execution_timeout',
  'job_canceled',
  'missing_dependency_failure',
  'runner_unsupported',
  'unmet_prerequisites',
  'runner_configuration_error',
  'image_pull_failure',
  'configuration_error',
];

export function knownFailureReason(reason: string | undefined): string {
  if (reason === undefined || reason === '') return 'unknown_failure';
  return FAILURE_REASONS.includes(reason) ? reason : 'unknown_failure';
}
