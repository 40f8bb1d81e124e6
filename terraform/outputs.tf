output "most_jobs_at_once" {
  description = "Maximum number of jobs at once on both shards."
  value       = 2 * var.managers * var.concurrent

  precondition {
    condition     = var.overlap_limit == null || 2 * var.managers * var.concurrent <= coalesce(var.overlap_limit, 0)
    error_message = "Both shards together could run ${2 * var.managers * var.concurrent} jobs at once during a promotion, but overlap_limit is ${coalesce(var.overlap_limit, 0)}."
  }
}

output "kind" {
  description = "Type of the runners: gitlab or github."
  value       = var.github == null ? "gitlab" : "github"

  precondition {
    condition     = (var.gitlab_url == null) != (var.github == null)
    error_message = "Set exactly one of gitlab_url and github."
  }

  precondition {
    condition     = var.github == null || var.autoscaler == null
    error_message = "autoscaler needs gitlab-runner (docker-autoscaler). Omit it for GitHub runners."
  }
}

output "instance_ids" {
  description = "Instances of the runner managers."
  value       = module.ec2[*].instance_id
}

output "instance_name" {
  description = "Name tag by which hosted-runner finds the runner managers."
  value       = local.instance_name
}

output "log_group_name" {
  description = "Log group of the runner's log, with a stream for each instance."
  value       = aws_cloudwatch_log_group.runner.name
}

output "role_arn" {
  description = "Role of the runner managers."
  value       = aws_iam_role.runner.arn
}

output "security_group_id" {
  description = "Security group of the runner managers, without incoming traffic."
  value       = aws_security_group.runner.id
}

output "heartbeat_timeout" {
  description = "Heartbeat timeout in seconds for the terminating hook of lifecycle_hook. AWS ends the hook's wait after a hundred such timeouts."
  value       = local.heartbeat_timeout
}
