locals {
  # AWS ends the wait of a terminating hook after a hundred of its timeouts, and after 48 hours.
  # https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
  heartbeat_timeout = max(30, ceil(try(var.lifecycle_hook.drain_limit_hours, 48) * 3600 / 100))

  # Jobs are GitLab's, unless they are GitHub's.
  user_data = var.github == null ? local.gitlab_user_data : [for _ in range(var.managers) : local.github_user_data]

  # Of the hook in a group that is not ours; the hosts renew it long before it is over.
  hook = {
    autoscaling_group_name = try(var.lifecycle_hook.autoscaling_group_name, "")
    hook_name              = try(var.lifecycle_hook.hook_name, "")
    launch_hook_name       = try(coalesce(var.lifecycle_hook.launch_hook_name, ""), "")
    heartbeat_timeout      = var.lifecycle_hook == null ? "" : local.heartbeat_timeout
  }

  # One for each manager: two runners at one Auto Scaling group remove each other's workers.
  configs = [for index in range(var.managers) : templatefile("${path.module}/files/config.toml.tftpl", {
    name       = local.name
    gitlab_url = coalesce(var.gitlab_url, "none")
    concurrent = var.concurrent
    job_image  = var.job_image
    autoscaler = var.autoscaler
    workers    = "${local.name}_workers-${index}"
    region     = local.region
  })]

  # What else differs by host is found out on the host.
  gitlab_user_data = [for config in local.configs : templatefile("${path.module}/files/user-data.sh.tftpl", merge(local.hook, {
    region           = local.region
    runner_image     = var.runner_image
    token_parameter  = local.token_parameter
    log_group        = aws_cloudwatch_log_group.runner.name
    config           = base64gzip(config)
    prepare          = base64gzip(file("${path.module}/files/prepare-runner.sh"))
    plugin           = base64gzip(file("${path.module}/files/install-plugin.sh"))
    quit             = base64gzip(file("${path.module}/files/quit-runner.sh"))
    termination      = base64gzip(file("${path.module}/files/graceful-termination.sh"))
    admission        = base64gzip(file("${path.module}/files/launch-admission.sh"))
    runner_unit      = base64gzip(file("${path.module}/files/gitlab-runner.service"))
    termination_unit = base64gzip(file("${path.module}/files/graceful-termination.service"))
    admission_unit   = base64gzip(file("${path.module}/files/launch-admission.service"))
  }))]

  github_user_data = var.github == null ? "" : templatefile("${path.module}/files/actions-runner/user-data.sh.tftpl", merge(local.hook, {
    region           = local.region
    shard            = var.shard
    runner_name      = var.runner_name
    parameter_prefix = var.parameter_prefix
    github_url       = var.github.url
    ephemeral        = var.github.ephemeral
    archive_url      = coalesce(var.github.archive_url, "https://no-archive.invalid")
    archive_sha256   = coalesce(var.github.archive_sha256, "none")
    agent            = base64gzip(replace(file("${path.module}/files/actions-runner/cloudwatch-agent.json"), "__LOG_GROUP__", aws_cloudwatch_log_group.runner.name))
    prepare          = base64gzip(file("${path.module}/files/actions-runner/prepare-runner.sh"))
    host_state       = base64gzip(file("${path.module}/files/actions-runner/host-state.sh"))
    termination      = base64gzip(file("${path.module}/files/graceful-termination.sh"))
    admission        = base64gzip(file("${path.module}/files/launch-admission.sh"))
    runner_unit      = base64gzip(file("${path.module}/files/actions-runner/actions-runner.service"))
    termination_unit = base64gzip(file("${path.module}/files/actions-runner/graceful-termination.service"))
    admission_unit   = base64gzip(file("${path.module}/files/actions-runner/launch-admission.service"))
  }))
}
