# The manager's instance is in an Auto Scaling group of the module, so its Name tag is set here: by it
# hosted-runner finds the host.
terraform {
  required_version = ">= 1.5"

  backend "s3" {}
}

variable "shard" {
  description = "The shard that is built; hosted-runner gives it."
  type        = string
}

variable "runner_name" {
  description = "The stack that the shard belongs to; hosted-runner gives it."
  type        = string
}

variable "vpc_id" {
  description = "VPC of the runners."
  type        = string
}

variable "subnet_id" {
  description = "Subnet of the runners."
  type        = string
}

module "runner" {
  source  = "cattle-ops/gitlab-runner/aws"
  version = "9.5.2"

  environment = "${var.shard}-${var.runner_name}"
  vpc_id      = var.vpc_id
  subnet_id   = var.subnet_id

  runner_gitlab = {
    url                                           = "https://gitlab.example.com"
    preregistered_runner_token_ssm_parameter_name = "/gitlab/dedicated/runner/${var.runner_name}/${var.shard}/runner_token"
  }

  runner_instance = {
    name       = "${var.shard}-${var.runner_name}_runner-manager"
    ssm_access = true
  }

  tags = {
    "hosted-runner:stack" = var.runner_name
    "hosted-runner:shard" = var.shard
  }
}
