output "heartbeat_timeout" {
  description = "Heartbeat timeout of the terminating hook."
  value       = local.heartbeat_timeout
}

output "instance_ids" {
  description = "Instances of the runner managers."
  value       = module.ec2[*].instance_id
}

output "instance_name" {
  description = "Name tag of the runner managers."
  value       = local.instance_name
}

output "log_group_name" {
  description = "Log group of the runner's own log."
  value       = aws_cloudwatch_log_group.runner.name
}

output "role_arn" {
  description = "Role of the runner managers."
  value       = aws_iam_role.runner.arn
}

output "security_group_id" {
  description = "Security group of the runner managers."
  value       = aws_security_group.runner.id
}
