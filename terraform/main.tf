# One shard of one stack. A change of it is a new shard: nothing here is refreshed in place.
module "runner_manager" {
  source = "./modules/runner-manager"

  shard              = var.shard
  runner_name        = var.runner_name
  gitlab_url         = var.gitlab_url
  github             = var.github
  vpc_id             = var.vpc_id
  subnet_ids         = var.subnet_ids
  ami_id             = var.ami_id
  instance_type      = var.instance_type
  volume_size_gib    = var.volume_size_gib
  managers           = var.managers
  runner_image       = var.runner_image
  job_image          = var.job_image
  concurrent         = var.concurrent
  parameter_prefix   = coalesce(var.parameter_prefix, "/gitlab/dedicated/runner/${var.runner_name}/")
  kms_key_arn        = var.kms_key_arn
  log_retention_days = var.log_retention_days
  autoscaler         = var.autoscaler
  lifecycle_hook     = var.lifecycle_hook
  extra_tags         = var.extra_tags
}
