output "most_jobs_at_once" {
  description = "How many jobs both shards run at most while both serve."
  value       = module.runner_manager.most_jobs_at_once
}

output "kind" {
  description = "Whose runners the hosts run."
  value       = module.runner_manager.kind
}

output "instance_ids" {
  description = "Instances of the runner managers."
  value       = module.runner_manager.instance_ids
}

output "instance_name" {
  description = "Name tag of the runner managers; hosted-runner finds them by it."
  value       = module.runner_manager.instance_name
}

output "log_group_name" {
  description = "Log group of the runner's own log, a stream for each instance."
  value       = module.runner_manager.log_group_name
}

output "role_arn" {
  description = "Role of the runner managers."
  value       = module.runner_manager.role_arn
}

output "security_group_id" {
  description = "Security group of the runner managers; it lets nothing in."
  value       = module.runner_manager.security_group_id
}

output "heartbeat_timeout" {
  description = "Heartbeat timeout, in seconds, that the terminating hook of lifecycle_hook needs: AWS ends its wait after a hundred of them."
  value       = module.runner_manager.heartbeat_timeout
}
