output "most_jobs_at_once" {
  description = "Maximum number of jobs at once on both shards."
  value       = module.runner_manager.most_jobs_at_once
}

output "kind" {
  description = "Type of the runners: gitlab or github."
  value       = module.runner_manager.kind
}

output "instance_ids" {
  description = "Instances of the runner managers."
  value       = module.runner_manager.instance_ids
}

output "instance_name" {
  description = "Name tag by which hosted-runner finds the runner managers."
  value       = module.runner_manager.instance_name
}

output "log_group_name" {
  description = "Log group of the runner's log, with a stream for each instance."
  value       = module.runner_manager.log_group_name
}

output "role_arn" {
  description = "Role of the runner managers."
  value       = module.runner_manager.role_arn
}

output "security_group_id" {
  description = "Security group of the runner managers, without incoming traffic."
  value       = module.runner_manager.security_group_id
}

output "heartbeat_timeout" {
  description = "Heartbeat timeout in seconds for the terminating hook of lifecycle_hook. AWS ends the hook's wait after a hundred such timeouts."
  value       = module.runner_manager.heartbeat_timeout
}
