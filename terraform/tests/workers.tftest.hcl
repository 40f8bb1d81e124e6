# What docker-autoscaler needs: https://docs.gitlab.com/runner/executors/docker_autoscaler/
mock_provider "aws" {
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
  mock_data "aws_region" {
    defaults = { id = "eu-west-1" }
  }
  mock_data "aws_caller_identity" {
    defaults = { account_id = "123456789012" }
  }
  mock_data "aws_partition" {
    defaults = { partition = "aws", dns_suffix = "amazonaws.com" }
  }
  mock_resource "aws_launch_template" {
    defaults = { id = "lt-0123456789abcdef0", latest_version = 1 }
  }
}

variables {
  shard              = "pink"
  runner_name        = "linux"
  gitlab_url         = "https://gitlab.example.com"
  github             = null
  vpc_id             = "vpc-0123456789abcdef0"
  subnet_ids         = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  ami_id             = "ami-0123456789abcdef0"
  instance_type      = "t3.medium"
  volume_size_gib    = 50
  managers           = 2
  runner_image       = "gitlab/gitlab-runner:alpine-v19.3.0"
  job_image          = "alpine:3.22"
  concurrent         = 10
  parameter_prefix   = "/gitlab/dedicated/runner/linux/"
  kms_key_arn        = null
  log_retention_days = 30
  autoscaler         = { ami_id = "ami-0123456789abcdef1" }
  lifecycle_hook     = { autoscaling_group_name = "runners", hook_name = "drain", drain_limit_hours = 6 }
  extra_tags         = {}
}

run "gives_each_manager_a_group_of_its_own" {
  command = plan

  assert {
    condition     = aws_autoscaling_group.workers[*].name == ["pink-linux_workers-0", "pink-linux_workers-1"]
    error_message = "Two managers at one group remove each other's workers."
  }

  assert {
    condition = [
      for index, config in local.configs : strcontains(config, "name = \"pink-linux_workers-${index}\"")
    ] == [true, true]
    error_message = "Each manager is told its own group."
  }

  assert {
    condition     = alltrue([for one in aws_autoscaling_group.workers : one.suspended_processes == toset(["AZRebalance"])])
    error_message = "AZRebalance ends workers under their jobs."
  }

  assert {
    condition     = alltrue([for one in aws_autoscaling_group.workers : one.protect_from_scale_in])
    error_message = "Only the runner takes workers away."
  }

  assert {
    condition     = alltrue([for config in local.configs : strcontains(config, "plugin = \"aws:1.1.0\"")])
    error_message = "Any form but a whole version is another plugin tomorrow."
  }

  assert {
    condition     = alltrue([for config in local.configs : strcontains(config, "username = \"ec2-user\"")])
    error_message = "Who enters the workers is said, and not left to the plugin."
  }

  assert {
    condition     = output.heartbeat_timeout == 216
    error_message = "AWS waits for a hundred heartbeats: six hours."
  }
}

run "keeps_workers_metadata_from_one_request_and_encrypts_their_volume" {
  command = plan

  assert {
    condition     = aws_launch_template.workers[0].metadata_options[0].http_tokens == "required"
    error_message = "IMDSv1 answers a job that can only send a GET."
  }

  assert {
    condition     = aws_launch_template.workers[0].metadata_options[0].http_put_response_hop_limit == 1
    error_message = "A job's container is two hops away."
  }

  assert {
    condition     = aws_launch_template.workers[0].metadata_options[0].http_protocol_ipv6 == "disabled"
    error_message = "Metadata has one address, and rules are of that one."
  }

  assert {
    condition     = [for one in aws_launch_template.workers[0].block_device_mappings : [one.device_name, tobool(one.ebs[0].encrypted)]] == [["/dev/xvda", true]]
    error_message = "A job's checkout is on this volume; under another name it would be a second one."
  }
}

run "asks_for_jobs_by_as_many_requests_as_the_runner_wants" {
  command = plan

  assert {
    condition     = alltrue([for config in local.configs : strcontains(config, "  request_concurrency = 4\n")])
    error_message = "Four requests at most, of ten jobs at once."
  }
}

run "asks_for_jobs_by_two_requests_where_one_job_runs_at_once" {
  command = plan

  variables {
    concurrent = 1
    autoscaler = null
  }

  assert {
    condition     = alltrue([for config in local.configs : strcontains(config, "  request_concurrency = 2\n")])
    error_message = "The runner warns of 1 at each start."
  }
}
