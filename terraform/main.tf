# One shard of one stack. Every change builds a new shard.
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}
data "aws_partition" "current" {}

locals {
  name             = "${var.shard}-${var.runner_name}"
  instance_name    = "${local.name}_runner-manager"
  parameter_prefix = coalesce(var.parameter_prefix, "/gitlab/dedicated/runner/${var.runner_name}/")
  # A host of a GitHub runner reads its labels from the fleet's parameter.
  parameters      = concat([local.token_parameter], var.github == null ? [] : ["${local.parameter_prefix}${var.shard}/runner_fleet"])
  token_parameter = "${local.parameter_prefix}${var.shard}/runner_token"
  region          = data.aws_region.current.id
  account         = "${data.aws_partition.current.partition}:%s:${local.region}:${data.aws_caller_identity.current.account_id}"
  arn             = "arn:${local.account}"

  tags = merge(var.extra_tags, {
    "hosted-runner:stack" = var.runner_name
    "hosted-runner:shard" = var.shard
  })
}

resource "aws_cloudwatch_log_group" "runner" {
  name              = "/gitlab-runner/${local.name}"
  retention_in_days = var.log_retention_days
  tags              = merge(local.tags, { Name = "${local.name}_log" })
}

# No incoming traffic: hosted-runner reaches the host through the SSM agent, which opens the
# connection.
resource "aws_security_group" "runner" {
  name        = "${local.name}_runner-manager"
  description = "Runner managers of ${local.name}: no ingress."
  vpc_id      = var.vpc_id
  tags        = merge(local.tags, { Name = "${local.name}_runner-manager" })
}

resource "aws_vpc_security_group_egress_rule" "all" {
  security_group_id = aws_security_group.runner.id
  description       = "GitLab, AWS and what jobs need."
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
  tags              = merge(local.tags, { Name = "${local.name}_egress" })
}

module "ec2" {
  source = "./modules/ec2"
  count  = var.managers

  name               = local.instance_name
  tags               = local.tags
  ami_id             = var.ami_id
  instance_type      = var.instance_type
  subnet_id          = var.subnet_ids[count.index % length(var.subnet_ids)]
  security_group_ids = [aws_security_group.runner.id]
  instance_profile   = aws_iam_instance_profile.runner.name
  volume_size_gib    = var.volume_size_gib
  user_data          = local.user_data[count.index]
  # Created before the first host, because an SSM agent whose first call is refused sleeps for 5 to
  # 60 minutes.
  depends_on = [aws_iam_role_policy.runner, aws_vpc_security_group_egress_rule.all]
}
