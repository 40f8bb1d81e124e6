output "most_jobs_at_once" {
  description = "How many jobs both shards run at most while both serve."
  value       = 2 * var.managers * var.concurrent

  precondition {
    condition     = var.overlap_limit == null || 2 * var.managers * var.concurrent <= coalesce(var.overlap_limit, 0)
    error_message = "While both shards serve they could run ${2 * var.managers * var.concurrent} jobs at once; overlap_limit is ${coalesce(var.overlap_limit, 0)}."
  }
}

output "kind" {
  description = "Whose runners the hosts run."
  value       = var.github == null ? "gitlab" : "github"

  precondition {
    condition     = (var.gitlab_url == null) != (var.github == null)
    error_message = "One of gitlab_url and github says whose runners these are."
  }

  precondition {
    condition     = var.github == null || var.autoscaler == null
    error_message = "autoscaler is docker-autoscaler of gitlab-runner; a host of GitHub's runs its jobs itself."
  }
}

output "instance_ids" {
  description = "Instances of the runner managers."
  value       = module.ec2[*].instance_id
}

output "instance_name" {
  description = "Name tag of the runner managers; hosted-runner finds them by it."
  value       = local.instance_name
}

output "log_group_name" {
  description = "Log group of the runner's own log, a stream for each instance."
  value       = aws_cloudwatch_log_group.runner.name
}

output "role_arn" {
  description = "Role of the runner managers."
  value       = aws_iam_role.runner.arn
}

output "security_group_id" {
  description = "Security group of the runner managers; it lets nothing in."
  value       = aws_security_group.runner.id
}

output "heartbeat_timeout" {
  description = "Heartbeat timeout, in seconds, that the terminating hook of lifecycle_hook needs: AWS ends its wait after a hundred of them."
  value       = local.heartbeat_timeout
}
