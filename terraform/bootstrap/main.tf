# What an administrator applies once: the role of the CI, its policies and the bucket of the states.
# The state of this root module stays in this folder. Keep it, or add a backend.
terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.81, < 7.0"
    }
  }
}

provider "aws" {
  region = var.region
}

data "aws_caller_identity" "current" {}
data "aws_partition" "current" {}

locals {
  # Values of the policies that hosted-runner generates.
  place = {
    partition = data.aws_partition.current.partition
    account   = data.aws_caller_identity.current.account_id
    region    = var.region
    bucket    = var.bucket
    first     = var.shards[0]
    second    = var.shards[1]
  }
  # The deploy policy is hosted-runner's own. Both policies of Terraform are attached, because
  # together they exceed the size of a policy.
  policies = {
    for pair in setproduct(var.stacks, ["deploy", "terraform-destroy", "terraform-apply"]) :
    "${pair[0]}-${pair[1]}" => templatefile("${path.module}/policies/${pair[1]}.json.tftpl", merge(local.place, { stack = pair[0], prefix = replace(var.parameter_prefix, "{runner_name}", pair[0]) }))
  }
  issuer = trimprefix(var.oidc_url, "https://")
}

# AWS allows one provider for each address in an account.
resource "aws_iam_openid_connect_provider" "ci" {
  count = var.oidc_provider_arn == null ? 1 : 0

  url            = var.oidc_url
  client_id_list = [var.oidc_audience]
}

data "aws_iam_policy_document" "trust" {
  statement {
    sid     = "JobsOfProtectedBranch"
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = concat(var.oidc_provider_arn[*], aws_iam_openid_connect_provider.ci[*].arn)
    }

    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:aud"
      values   = [var.oidc_audience]
    }

    # A pattern would also match similar names of branches and repositories.
    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:sub"
      values   = var.oidc_subjects
    }
  }
}

resource "aws_iam_role" "deploy" {
  name                 = var.role_name
  description          = "Deploys the stacks of runners with hosted-runner."
  assume_role_policy   = data.aws_iam_policy_document.trust.json
  max_session_duration = 43200
}

resource "aws_iam_policy" "deploy" {
  for_each = local.policies

  name   = "hosted-runner-${each.key}"
  policy = each.value
}

resource "aws_iam_role_policy_attachment" "deploy" {
  for_each = aws_iam_policy.deploy

  role       = aws_iam_role.deploy.name
  policy_arn = each.value.arn
}

# prepare simulates the permissions of the later stages.
resource "aws_iam_role_policy" "simulate" {
  name = "simulate"
  role = aws_iam_role.deploy.id
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "iam:SimulatePrincipalPolicy", Resource = aws_iam_role.deploy.arn }]
  })
}

# The role above can write the policy of the hosts' role. This boundary limits what it can write.
resource "aws_iam_policy" "boundary" {
  for_each = toset(var.stacks)

  name   = "hosted-runner-${each.key}-boundary"
  policy = templatefile("${path.module}/policies/terraform-boundary.json.tftpl", merge(local.place, { stack = each.key, prefix = replace(var.parameter_prefix, "{runner_name}", each.key) }))
}
