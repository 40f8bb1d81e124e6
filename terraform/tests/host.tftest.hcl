# What whoever gets hold of a host's role could do with it.
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
}

variables {
  shard              = "pink"
  runner_name        = "linux"
  gitlab_url         = "https://gitlab.example.com"
  github             = null
  vpc_id             = "vpc-0123456789abcdef0"
  subnet_ids         = ["subnet-0123456789abcdef0"]
  ami_id             = "ami-0123456789abcdef0"
  instance_type      = "t3.medium"
  volume_size_gib    = 50
  managers           = 1
  runner_image       = "gitlab/gitlab-runner:alpine-v19.3.0"
  job_image          = "alpine:3.22"
  concurrent         = 1
  parameter_prefix   = "/gitlab/dedicated/runner/linux/"
  kms_key_arn        = "arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000"
  log_retention_days = 30
  autoscaler         = null
  lifecycle_hook     = null
  extra_tags         = {}
}

run "keeps_the_hosts_role_from_its_jobs" {
  command = plan

  module {
    source = "./modules/ec2"
  }

  variables {
    name               = "pink-linux_runner-manager"
    tags               = {}
    subnet_id          = "subnet-0123456789abcdef0"
    security_group_ids = []
    instance_profile   = "profile"
    user_data          = "none"
  }

  assert {
    condition     = aws_instance.runner_manager.metadata_options[0].http_put_response_hop_limit == 1
    error_message = "A job's container is two hops away."
  }

  assert {
    condition     = aws_instance.runner_manager.metadata_options[0].http_tokens == "required"
    error_message = "IMDSv1 answers a job that can only send a GET."
  }

  assert {
    condition     = aws_instance.runner_manager.metadata_options[0].http_protocol_ipv6 == "disabled"
    error_message = "The rule that keeps a job from the metadata is of its other address."
  }

  assert {
    condition     = aws_instance.runner_manager.root_block_device[0].encrypted == true
    error_message = "A job's checkout is on this volume."
  }
}

run "reads_one_parameter_and_denies_itself_every_other" {
  command = plan

  assert {
    condition = [
      for one in data.aws_iam_policy_document.runner.statement : one.resources
      if contains(one.actions, "ssm:GetParameter") && one.effect != "Deny"
    ] == [toset(["arn:aws:ssm:eu-west-1:123456789012:parameter/gitlab/dedicated/runner/linux/pink/runner_token"])]
    error_message = "The token of its own shard, and nothing else."
  }

  assert {
    condition = [
      for one in data.aws_iam_policy_document.runner.statement : one.not_resources
      if one.effect == "Deny" && length(setsubtract(["ssm:GetParameter", "ssm:GetParameters", "ssm:GetParametersByPath", "ssm:GetParameterHistory"], one.actions)) == 0
    ] == [toset(["arn:aws:ssm:eu-west-1:123456789012:parameter/gitlab/dedicated/runner/linux/pink/runner_token"])]
    error_message = "Whatever policy is attached besides, no other parameter is read."
  }

  assert {
    condition = anytrue([
      for one in data.aws_iam_policy_document.runner.statement : anytrue([
        for rule in one.condition : rule.variable == "kms:EncryptionContext:PARAMETER_ARN" && rule.values == tolist(["arn:aws:ssm:eu-west-1:123456789012:parameter/gitlab/dedicated/runner/linux/pink/runner_token"])
      ]) if contains(one.actions, "kms:Decrypt")
    ])
    error_message = "The key is granted for that parameter only."
  }

  assert {
    condition = toset(flatten([
      for one in data.aws_iam_policy_document.runner.statement : tolist(one.actions) if one.sid == "AnswerRunCommand"
      ])) == toset([
      "ssm:UpdateInstanceInformation",
      "ssmmessages:CreateControlChannel", "ssmmessages:CreateDataChannel", "ssmmessages:OpenControlChannel", "ssmmessages:OpenDataChannel",
      "ec2messages:AcknowledgeMessage", "ec2messages:DeleteMessage", "ec2messages:FailMessage", "ec2messages:GetEndpoint", "ec2messages:GetMessages", "ec2messages:SendReply",
    ])
    error_message = "Only what the agent needs to answer Run Command."
  }

  assert {
    condition     = strcontains(local.user_data[0], "trap wake_agent EXIT")
    error_message = "An agent whose first call was refused, the role being new, sleeps for 5 to 60 minutes."
  }
}

run "is_of_the_partition_that_it_is_built_in" {
  command = plan

  override_data {
    target = data.aws_partition.current
    values = { partition = "aws-cn", dns_suffix = "amazonaws.com.cn" }
  }

  override_data {
    target = data.aws_region.current
    values = { id = "cn-north-1" }
  }

  assert {
    condition     = flatten([for one in data.aws_iam_policy_document.assume.statement : [for who in one.principals : tolist(who.identifiers)]]) == ["ec2.amazonaws.com.cn"]
    error_message = "EC2 has another name in China."
  }

  assert {
    condition = [
      for one in data.aws_iam_policy_document.runner.statement : one.resources if one.sid == "ReadOwnToken"
    ] == [toset(["arn:aws-cn:ssm:cn-north-1:123456789012:parameter/gitlab/dedicated/runner/linux/pink/runner_token"])]
    error_message = "An ARN of another partition names nothing."
  }

  assert {
    condition = anytrue([
      for one in data.aws_iam_policy_document.runner.statement : anytrue([
        for rule in one.condition : toset(rule.values) == toset(["ssm.cn-north-1.amazonaws.com", "ssm.cn-north-1.amazonaws.com.cn"]) if rule.variable == "kms:ViaService"
      ])
    ])
    error_message = "The key is used through Parameter Store, whichever its name."
  }
}

run "limits_its_role_by_the_named_boundary" {
  command = apply

  variables {
    permissions_boundary = "hosted-runner-linux-boundary"
  }

  assert {
    condition     = aws_iam_role.runner.permissions_boundary == "arn:aws:iam::123456789012:policy/hosted-runner-linux-boundary"
    error_message = "Another role could not be created with the generated policies."
  }
}
