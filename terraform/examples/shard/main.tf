# Root module for one shard. hosted-runner sets `shard` and `runner_name`; a .tfvars file sets the
# rest.
terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40, < 7.0"
    }
  }

  # infrastructure.backend_config sets the rest: one state for each shard.
  backend "s3" {}
}

# No default_tags: with them, every launch template always differs from its plan.
provider "aws" {
  region      = var.region
  max_retries = var.max_retries
}

# `recover --method replace` uses this name in the address of the managers.
module "runner_manager" {
  source = "../.."

  shard                = var.shard
  runner_name          = var.runner_name
  gitlab_url           = var.gitlab_url
  github               = var.github
  subnet_ids           = var.subnet_ids
  vpc_id               = var.vpc_id
  ami_id               = var.ami_id
  instance_type        = var.instance_type
  volume_size_gib      = var.volume_size_gib
  managers             = var.managers
  runner_image         = var.runner_image
  job_image            = var.job_image
  concurrent           = var.concurrent
  overlap_limit        = var.overlap_limit
  parameter_prefix     = var.parameter_prefix
  kms_key_arn          = var.kms_key_arn
  log_retention_days   = var.log_retention_days
  permissions_boundary = var.permissions_boundary
  autoscaler           = var.autoscaler
  lifecycle_hook       = var.lifecycle_hook
  extra_tags           = var.extra_tags
}
