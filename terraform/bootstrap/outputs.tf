output "aws_role" {
  description = "ARN of the role: aws_role_arn of the GitLab templates, aws_role of the GitHub action and workflow."
  value       = aws_iam_role.deploy.arn
}

output "backend_config" {
  description = "Values of infrastructure.backend_config in hosted-runners.yml."
  value       = ["bucket=${aws_s3_bucket.states.id}", "region=${var.region}", "key=hosted-runners/{runner_name}/{shard}.tfstate", "use_lockfile=true"]
}

output "region" {
  description = "Region for AWS_REGION and aws_region."
  value       = var.region
}

output "permissions_boundaries" {
  description = "permissions_boundary of each stack's variable file."
  value       = { for stack, policy in aws_iam_policy.boundary : stack => policy.name }
}
