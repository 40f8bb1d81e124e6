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
  shard       = "pink"
  runner_name = "linux"
  gitlab_url  = "https://gitlab.example.com"
  vpc_id      = "vpc-0123456789abcdef0"
  subnet_ids  = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  ami_id      = "ami-0123456789abcdef0"
}

run "carries_the_shards_names" {
  command = apply

  assert {
    condition     = output.instance_name == "pink-linux_runner-manager"
    error_message = "hosted-runner finds the managers by this name."
  }

  assert {
    condition     = length(output.instance_ids) == 1
    error_message = "One manager is usual."
  }

  assert {
    condition     = output.log_group_name == "/gitlab-runner/pink-linux"
    error_message = "The log is the shard's own."
  }
}

run "has_as_many_managers_as_asked_for" {
  command = apply

  variables {
    managers = 3
  }

  assert {
    condition     = length(output.instance_ids) == 3
    error_message = "Three were asked for."
  }
}

run "builds_workers_for_docker_autoscaler" {
  command = plan

  variables {
    autoscaler = { ami_id = "ami-0123456789abcdef1" }
  }
}

run "refuses_more_jobs_than_both_shards_may_run" {
  command = plan

  variables {
    concurrent    = 10
    overlap_limit = 19
  }

  expect_failures = [output.most_jobs_at_once]
}

run "refuses_names_that_are_none" {
  command = plan

  variables {
    shard        = "Pur-ple"
    runner_name  = "-linux"
    gitlab_url   = "gitlab.example.com"
    ami_id       = "ubuntu"
    runner_image = "gitlab/gitlab-runner:latest"
    concurrent   = 0
    managers     = 51
    subnet_ids   = []
    extra_tags   = { Name = "mine" }
    # Another version tomorrow; a drain that no hook waits for.
    autoscaler     = { ami_id = "ami-0123456789abcdef1", "plugin" = "aws:latest" }
    lifecycle_hook = { autoscaling_group_name = "runners", hook_name = "drain", drain_limit_hours = 49 }
  }

  expect_failures = [
    var.shard,
    var.runner_name,
    var.gitlab_url,
    var.ami_id,
    var.runner_image,
    var.concurrent,
    var.managers,
    var.subnet_ids,
    var.extra_tags,
    var.autoscaler,
    var.lifecycle_hook,
  ]
}

# Root's script of the first boot and config.toml have these values as they are.
run "refuses_what_a_shell_or_toml_would_read" {
  command = plan

  variables {
    parameter_prefix = "/runners/$(id)/"
    job_image        = "alpine\"\n  privileged = true #"
    autoscaler       = { ami_id = "ami-0123456789abcdef1", idle_time = "1m\"\n[x]" }
    lifecycle_hook   = { autoscaling_group_name = "runners`id`", hook_name = "drain" }
  }

  expect_failures = [var.parameter_prefix, var.job_image, var.autoscaler, var.lifecycle_hook]
}

run "takes_images_and_durations_as_the_runner_does" {
  command = plan

  variables {
    job_image  = "$${CI_DEPENDENCY_PROXY_GROUP_IMAGE_PREFIX}/acme/alpine:3.22@sha256:00"
    autoscaler = { ami_id = "ami-0123456789abcdef1", idle_time = "1.5h30m500ms" }
  }
}

run "refuses_a_hook_and_an_address_that_a_shell_would_read" {
  command = plan

  variables {
    gitlab_url     = null
    github         = { url = "https://github.com/$(id)" }
    lifecycle_hook = { autoscaling_group_name = "runners", hook_name = "drain", launch_hook_name = "a\nb" }
  }

  expect_failures = [var.github, var.lifecycle_hook]
}

run "builds_hosts_of_githubs_runners" {
  command = apply

  variables {
    gitlab_url = null
    managers   = 2
    github     = { url = "https://github.com/acme", ephemeral = true }
  }

  assert {
    condition     = output.kind == "github" && length(output.instance_ids) == 2
    error_message = "Two hosts of GitHub's runner were asked for."
  }

  assert {
    condition     = output.instance_name == "pink-linux_runner-manager"
    error_message = "hosted-runner finds hosts of either kind by the same name."
  }
}

run "refuses_neither_kind" {
  command = plan

  variables {
    gitlab_url = null
  }

  expect_failures = [output.kind]
}

run "refuses_both_kinds" {
  command = plan

  variables {
    github = { url = "https://github.com/acme" }
  }

  expect_failures = [output.kind]
}

run "refuses_an_archive_that_nobody_can_check" {
  command = plan

  variables {
    gitlab_url = null
    github = {
      url         = "https://github.com/acme"
      archive_url = "https://github.com/actions/runner/releases/download/v2.337.0/actions-runner-linux-x64-2.337.0.tar.gz"
    }
  }

  expect_failures = [var.github]
}

run "refuses_plain_http_to_another_machine" {
  command = plan

  variables {
    gitlab_url = "http://gitlab.example.com"
  }

  expect_failures = [var.gitlab_url]
}

run "refuses_a_host_whose_name_begins_as_loopback" {
  command = plan

  variables {
    gitlab_url = "http://localhost.example.com:8080/gitlab"
  }

  expect_failures = [var.gitlab_url]
}

run "refuses_credentials_in_an_address" {
  command = plan

  variables {
    gitlab_url = "http://localhost:8080@gitlab.example.com"
  }

  expect_failures = [var.gitlab_url]
}

run "refuses_an_address_that_would_end_its_line_in_the_configuration" {
  command = plan

  variables {
    gitlab_url = "https://gitlab.example.com/\"x"
  }

  expect_failures = [var.gitlab_url]
}

run "allows_plain_http_on_loopback" {
  command = plan

  variables {
    gitlab_url = "http://127.0.0.1:8080/gitlab"
  }
}

run "gives_docker_to_githubs_jobs_only_where_it_is_asked_for" {
  command = plan

  variables {
    gitlab_url = null
    github     = { url = "https://github.com/acme" }
  }

  assert {
    condition     = strcontains(local.github_user_data, "usermod --groups '' runner") && !strcontains(local.github_user_data, "--groups 'docker'")
    error_message = "Who may speak to Docker is root on the host, and reaches its role."
  }
}

run "gives_docker_to_githubs_jobs_where_it_is_asked_for" {
  command = plan

  variables {
    gitlab_url = null
    github     = { url = "https://github.com/acme", docker = true }
  }

  assert {
    condition     = strcontains(local.github_user_data, "usermod --groups 'docker' runner")
    error_message = "A job with a container needs it."
  }
}
