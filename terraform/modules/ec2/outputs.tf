output "instance_id" {
  description = "The instance."
  value       = aws_instance.runner_manager.id
}
