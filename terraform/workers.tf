locals {
  worker_count = var.autoscaler == null ? 0 : 1
  group_count  = var.autoscaler == null ? 0 : var.managers
}

resource "aws_security_group" "workers" {
  count = local.worker_count

  name        = "${local.name}_workers"
  description = "Workers of ${local.name}: SSH from its managers only."
  vpc_id      = var.vpc_id
  tags        = merge(local.tags, { Name = "${local.name}_workers" })
}

resource "aws_vpc_security_group_ingress_rule" "workers" {
  count = local.worker_count

  security_group_id            = aws_security_group.workers[0].id
  description                  = "The managers of the same shard."
  referenced_security_group_id = aws_security_group.runner.id
  ip_protocol                  = "tcp"
  from_port                    = 22
  to_port                      = 22
  tags                         = merge(local.tags, { Name = "${local.name}_workers-ingress" })
}

resource "aws_vpc_security_group_egress_rule" "workers" {
  count = local.worker_count

  security_group_id = aws_security_group.workers[0].id
  description       = "What jobs need."
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
  tags              = merge(local.tags, { Name = "${local.name}_workers-egress" })
}

resource "aws_launch_template" "workers" {
  count = local.worker_count

  name                   = "${local.name}_workers"
  image_id               = var.autoscaler.ami_id
  instance_type          = var.autoscaler.instance_type
  vpc_security_group_ids = [aws_security_group.workers[0].id]
  tags                   = merge(local.tags, { Name = "${local.name}_workers" })

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
    http_protocol_ipv6          = "disabled"
  }

  # Root volume, by the device name of the image. Without a size here, EC2 starts no instance under
  # a wrong name. With a size, it would start one with a second volume beside an unencrypted root
  # volume.
  block_device_mappings {
    device_name = var.autoscaler.root_device_name

    ebs {
      encrypted = true
    }
  }

  tag_specifications {
    resource_type = "instance"
    tags          = merge(local.tags, { Name = "${local.name}_worker" })
  }
}

# One group for each manager, because a runner removes instances that it did not create. AZRebalance
# would end instances with running jobs. force_delete: the shard is drained when it is destroyed,
# and the group would otherwise wait for its protected instances.
# https://docs.gitlab.com/runner/executors/docker_autoscaler/#dedicated-autoscaling-groups-for-each-runner-configuration
resource "aws_autoscaling_group" "workers" {
  count = local.group_count

  name                  = "${local.name}_workers-${count.index}"
  suspended_processes   = ["AZRebalance"]
  min_size              = 0
  max_size              = var.autoscaler.max_instances
  desired_capacity      = 0
  vpc_zone_identifier   = var.subnet_ids
  protect_from_scale_in = true
  force_delete          = true

  launch_template {
    id      = aws_launch_template.workers[0].id
    version = aws_launch_template.workers[0].latest_version
  }

  dynamic "tag" {
    for_each = local.tags
    content {
      key                 = tag.key
      value               = tag.value
      propagate_at_launch = true
    }
  }

  lifecycle {
    ignore_changes = [desired_capacity]
  }
}
