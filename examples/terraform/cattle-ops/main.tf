# The manager's instance is in an Auto Scaling group of the module. hosted-runner finds it by its Name tag,
# which the module makes from runner_instance.name_prefix; runner_instance.name is only the runner's own name.
terraform {
  # use_lockfile; the module needs version 6 of AWS's provider.
  required_version = ">= 1.10"

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

variable "worker_ami_id" {
  description = "Image of the workers: Amazon Linux with Docker, to which its user ec2-user may speak."
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
    # The module's own default is of 2023.
    runner_version = "19.3.0"
    # Read once, at boot: hosted-runner stores the token before it applies.
    preregistered_runner_token_ssm_parameter_name = "/gitlab/dedicated/runner/${var.runner_name}/${var.shard}/runner_token"
  }

  # Without an address the runner has no list of its jobs, and a drain lacks the host's word.
  runner_manager = {
    prometheus_listen_address = "127.0.0.1:9252"
    maximum_concurrent_jobs   = 10
  }

  runner_instance = {
    name        = "${var.shard}-${var.runner_name}"
    name_prefix = "${var.shard}-${var.runner_name}_runner-manager"
    ssm_access  = true
  }

  # One hop: a job's container is one further away, and the host's role is not for jobs.
  runner_metadata_options = {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
    instance_metadata_tags      = "disabled"
  }

  # Without it the group ends an instance after five minutes, its jobs with it. The module renews nothing.
  runner_terminate_ec2_lifecycle_timeout_duration = 7200

  runner_worker = {
    type     = "docker-autoscaler"
    max_jobs = 10
    # With 1, the module's default, a job waits for GitLab's answer to the request before it.
    request_concurrency = 4
  }

  runner_worker_docker_autoscaler = {
    fleeting_plugin_version = "1.1.0"
  }

  # A new launch template is a new shard here; a rolling refresh would end workers under their jobs. The
  # module's default is no subnet at all, and AWS makes no group without one.
  runner_worker_docker_autoscaler_asg = {
    subnet_ids       = [var.subnet_id]
    upgrade_strategy = "off"
  }

  # The module's default is Ubuntu's root volume: on Amazon Linux that is a second disk. Its default of two
  # hops shows a job's container the metadata of the worker.
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
