locals {
  # AWS ends the wait of a terminating hook after a hundred of its timeouts, and after 48 hours.
  # https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
  heartbeat_timeout = max(30, ceil(try(var.lifecycle_hook.drain_limit_hours, 48) * 3600 / 100))

  user_data = var.github == null ? local.gitlab_user_data : [for _ in range(var.managers) : local.github_user_data]

  # The hook belongs to a group outside this module. The hosts renew it long before its timeout.
  common = {
    region                 = local.region
    autoscaling_group_name = try(var.lifecycle_hook.autoscaling_group_name, "")
    hook_name              = try(var.lifecycle_hook.hook_name, "")
    launch_hook_name       = try(coalesce(var.lifecycle_hook.launch_hook_name, ""), "")
    heartbeat_timeout      = var.lifecycle_hook == null ? "" : local.heartbeat_timeout
    # If its first call is refused because the role is new, an SSM agent sleeps for 5 to 60 minutes.
    # A failed boot needs the agent most. The script therefore restarts it at the end, after AWS has
    # returned the host's role. If the host cannot query AWS, the restart follows after five
    # minutes.
    wake_agent = templatefile("${path.module}/files/wake-agent.sh.tftpl", {
      region          = local.region
      token_parameter = local.token_parameter
    })
  }

  # One file for each manager, because two runners with one Auto Scaling group remove each other's
  # workers.
  configs = [for index in range(var.managers) : templatefile("${path.module}/files/config.toml.tftpl", {
    name       = local.name
    gitlab_url = coalesce(var.gitlab_url, "none")
    concurrent = var.concurrent
    # GitLab holds a request for up to 50 s. With a single request, a job waits although there is
    # capacity. The runner warns about 1 at each start, even if it runs one job at a time.
    request_concurrency = max(2, min(4, var.concurrent))
    job_image           = var.job_image
    autoscaler          = var.autoscaler
    workers             = "${local.name}_workers-${index}"
    region              = local.region
  })]

  # Compresses the scripts and removes their comments, because AWS limits user data to 16 KB.
  scripts = { for name in fileset("${path.module}/files", "**/*.{sh,service}") :
    name => base64gzip(replace(file("${path.module}/files/${name}"), "/(?m)^ *# .*\n/", ""))
  }

  # The host reads all other differences itself.
  gitlab_user_data = [for config in local.configs : templatefile("${path.module}/files/user-data.sh.tftpl", merge(local.common, {
    runner_image     = var.runner_image
    token_parameter  = local.token_parameter
    log_group        = aws_cloudwatch_log_group.runner.name
    config           = base64gzip(config)
    prepare          = local.scripts["prepare-runner.sh"]
    plugin           = local.scripts["install-plugin.sh"]
    quit             = local.scripts["quit-runner.sh"]
    termination      = local.scripts["graceful-termination.sh"]
    admission        = local.scripts["launch-admission.sh"]
    runner_unit      = local.scripts["gitlab-runner.service"]
    termination_unit = local.scripts["graceful-termination.service"]
    admission_unit   = local.scripts["launch-admission.service"]
  }))]

  github_user_data = var.github == null ? "" : templatefile("${path.module}/files/actions-runner/user-data.sh.tftpl", merge(local.common, {
    shard            = var.shard
    runner_name      = var.runner_name
    parameter_prefix = local.parameter_prefix
    github_url       = var.github.url
    ephemeral        = var.github.ephemeral
    groups           = var.github.docker ? "docker" : ""
    archive_url      = coalesce(var.github.archive_url, "https://no-archive.invalid")
    archive_sha256   = coalesce(var.github.archive_sha256, "none")
    agent            = base64gzip(replace(file("${path.module}/files/actions-runner/cloudwatch-agent.json"), "__LOG_GROUP__", aws_cloudwatch_log_group.runner.name))
    prepare          = local.scripts["actions-runner/prepare-runner.sh"]
    host_state       = local.scripts["actions-runner/host-state.sh"]
    termination      = local.scripts["graceful-termination.sh"]
    admission        = local.scripts["launch-admission.sh"]
    runner_unit      = local.scripts["actions-runner/actions-runner.service"]
    termination_unit = local.scripts["actions-runner/graceful-termination.service"]
    admission_unit   = local.scripts["actions-runner/launch-admission.service"]
  }))
}
