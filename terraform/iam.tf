data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.${data.aws_partition.current.dns_suffix}"]
    }
  }
}

resource "aws_iam_role" "runner" {
  name                 = "${local.name}_runner-manager"
  assume_role_policy   = data.aws_iam_policy_document.assume.json
  permissions_boundary = one([for name in var.permissions_boundary[*] : "arn:${data.aws_partition.current.partition}:iam::${data.aws_caller_identity.current.account_id}:policy/${name}"])
  tags                 = merge(local.tags, { Name = "${local.name}_runner-manager" })
}

resource "aws_iam_instance_profile" "runner" {
  name = "${local.name}_runner-manager"
  role = aws_iam_role.runner.name
  tags = merge(local.tags, { Name = "${local.name}_runner-manager" })
}

# Allows only the shard's token, its log and Run Command. The AWS policy for the agent is not used,
# because it reads every parameter of the account. A process that escapes a job's container has this
# role.
data "aws_iam_policy_document" "runner" {
  statement {
    sid       = "ReadOwnToken"
    actions   = ["ssm:GetParameter"]
    resources = [for name in local.parameters : "${format(local.arn, "ssm")}:parameter${name}"]
  }

  # Applies also if another policy is attached to the role.
  statement {
    sid           = "ReadNoOtherParameter"
    actions       = ["ssm:GetParameter", "ssm:GetParameterHistory", "ssm:GetParameters", "ssm:GetParametersByPath"]
    effect        = "Deny"
    not_resources = [for name in local.parameters : "${format(local.arn, "ssm")}:parameter${name}"]
  }

  # https://docs.aws.amazon.com/systems-manager/latest/userguide/setup-instance-permissions.html
  statement {
    sid       = "AnswerRunCommand"
    actions   = ["ec2messages:AcknowledgeMessage", "ec2messages:DeleteMessage", "ec2messages:FailMessage", "ec2messages:GetEndpoint", "ec2messages:GetMessages", "ec2messages:SendReply", "ssm:UpdateInstanceInformation", "ssmmessages:CreateControlChannel", "ssmmessages:CreateDataChannel", "ssmmessages:OpenControlChannel", "ssmmessages:OpenDataChannel"]
    resources = ["*"]
  }

  statement {
    sid       = "WriteOwnLog"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.runner.arn}:*"]
  }

  dynamic "statement" {
    for_each = var.kms_key_arn[*]
    content {
      sid       = "DecryptToken"
      actions   = ["kms:Decrypt"]
      resources = [statement.value]
      condition {
        test     = "StringEquals"
        variable = "kms:ViaService"
        # AWS does not document which suffix applies in China.
        values = distinct([for suffix in ["amazonaws.com", data.aws_partition.current.dns_suffix] : "ssm.${local.region}.${suffix}"])
      }
      # Parameter Store sends this context, so the key decrypts no other parameter.
      condition {
        test     = "StringEquals"
        variable = "kms:EncryptionContext:PARAMETER_ARN"
        values   = ["${format(local.arn, "ssm")}:parameter${local.token_parameter}"]
      }
    }
  }

  dynamic "statement" {
    for_each = var.lifecycle_hook[*]
    content {
      sid       = "AnswerOwnHook"
      actions   = ["autoscaling:CompleteLifecycleAction", "autoscaling:RecordLifecycleActionHeartbeat"]
      resources = ["${format(local.arn, "autoscaling")}:autoScalingGroup:*:autoScalingGroupName/${statement.value.autoscaling_group_name}"]
    }
  }

  dynamic "statement" {
    for_each = var.autoscaler[*]
    content {
      sid       = "ScaleOwnWorkers"
      actions   = ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"]
      resources = aws_autoscaling_group.workers[*].arn
    }
  }

  dynamic "statement" {
    for_each = var.autoscaler[*]
    content {
      sid       = "FindWorkers"
      actions   = ["autoscaling:DescribeAutoScalingGroups", "ec2:DescribeInstances"]
      resources = ["*"]
    }
  }

  dynamic "statement" {
    for_each = var.autoscaler[*]
    content {
      sid       = "EnterOwnWorkers"
      actions   = ["ec2-instance-connect:SendSSHPublicKey"]
      resources = ["${format(local.arn, "ec2")}:instance/*"]
      condition {
        test     = "StringEquals"
        variable = "aws:ResourceTag/Name"
        values   = ["${local.name}_worker"]
      }
    }
  }
}

resource "aws_iam_role_policy" "runner" {
  name   = "${local.name}_runner-manager"
  role   = aws_iam_role.runner.id
  policy = data.aws_iam_policy_document.runner.json
}
