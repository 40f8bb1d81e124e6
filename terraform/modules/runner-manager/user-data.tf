locals {
  config = templatefile("${path.module}/files/config.toml.tftpl", {
    name       = local.name
    gitlab_url = var.gitlab_url
    concurrent = var.concurrent
    job_image  = var.job_image
    autoscaler = var.autoscaler
    workers    = "${local.name}_workers"
    region     = local.region
  })

  # What differs by host is found out on the host: this text is the same for every manager.
  user_data = templatefile("${path.module}/files/user-data.sh.tftpl", {
    region                 = local.region
    runner_image           = var.runner_image
    token_parameter        = local.token_parameter
    log_group              = aws_cloudwatch_log_group.runner.name
    autoscaling_group_name = try(var.lifecycle_hook.autoscaling_group_name, "")
    hook_name              = try(var.lifecycle_hook.hook_name, "")
    config                 = base64encode(local.config)
    prepare                = base64encode(file("${path.module}/files/prepare-runner.sh"))
    termination            = base64encode(file("${path.module}/files/graceful-termination.sh"))
    runner_unit            = base64encode(file("${path.module}/files/gitlab-runner.service"))
    termination_unit       = base64encode(file("${path.module}/files/graceful-termination.service"))
  })
}
