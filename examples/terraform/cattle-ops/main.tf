# The manager's instance is in an Auto Scaling group of the module. hosted-runner finds it by its Name tag,
# which the module takes from runner_instance.name_prefix; runner_instance.name names only the runner.
terraform {
  # For use_lockfile. The module also needs version 6 of the AWS provider.
  required_version = ">= 1.10"

  backend "s3" {}
}

variable "shard" {
  description = "Shard to build, set by hosted-runner."
  type        = string
}

variable "runner_name" {
  description = "Stack of the shard, set by hosted-runner."
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

variable "worker_ami_id" {
  description = "Image of the workers: Amazon Linux with Docker. The user ec2-user needs access to Docker."
  type        = string
}

module "runner" {
  source  = "cattle-ops/gitlab-runner/aws"
  version = "9.5.2"

  environment = "${var.shard}-${var.runner_name}"
  vpc_id      = var.vpc_id
  subnet_id   = var.subnet_id

  runner_gitlab = {
    url = "https://gitlab.example.com"
    # The module's default is a version of 2023.
    runner_version = "19.3.0"
    # The host reads the token once, at boot. hosted-runner stores the token before the apply.
    preregistered_runner_token_ssm_parameter_name = "/gitlab/dedicated/runner/${var.runner_name}/${var.shard}/runner_token"
  }

  # Without an address, the host cannot list its jobs during a drain.
  runner_manager = {
    prometheus_listen_address = "127.0.0.1:9252"
    maximum_concurrent_jobs   = 10
  }

  runner_instance = {
    name        = "${var.shard}-${var.runner_name}"
    name_prefix = "${var.shard}-${var.runner_name}_runner-manager"
    ssm_access  = true
  }

  # With one hop, a job's container cannot reach the instance metadata, and cannot use the host's role.
  runner_metadata_options = {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
    instance_metadata_tags      = "disabled"
  }

  # By default, the group terminates an instance and its jobs after five minutes. The module never extends
  # this timeout.
  runner_terminate_ec2_lifecycle_timeout_duration = 7200

  runner_worker = {
    type     = "docker-autoscaler"
    max_jobs = 10
    # With 1, the module's default, a job waits until GitLab answers the previous request.
    request_concurrency = 4
  }

  runner_worker_docker_autoscaler = {
    fleeting_plugin_version = "1.1.0"
  }

  # hosted-runner builds a new shard for a new launch template; a rolling refresh would interrupt jobs.
  # By default, the module sets no subnet, but AWS creates no group without one.
  runner_worker_docker_autoscaler_asg = {
    subnet_ids       = [var.subnet_id]
    upgrade_strategy = "off"
  }

  # The module's default is Ubuntu's root volume, which is a second disk on Amazon Linux. With the module's
  # default of two hops, a job's container can read the worker's metadata.
  runner_worker_docker_autoscaler_instance = {
    root_device_name            = "/dev/xvda"
    root_size                   = 30
    http_put_response_hop_limit = 1
  }

  runner_worker_docker_autoscaler_ami_id = var.worker_ami_id

  tags = {
    "hosted-runner:stack" = var.runner_name
    "hosted-runner:shard" = var.shard
  }
}
