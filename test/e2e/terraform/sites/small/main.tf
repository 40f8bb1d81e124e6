# As little as a shard can be: what AWS's provider waits for is one instance.
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
  backend "s3" {}
}

provider "aws" {
  region                      = "eu-west-1"
  max_retries                 = var.max_retries
  skip_credentials_validation = true
  skip_requesting_account_id  = true
}

variable "shard" { type = string }
variable "runner_name" { type = string }
variable "gitlab_url" { type = string }
variable "ami_id" { type = string }
variable "vpc_id" { type = string }
variable "subnet_ids" { type = list(string) }
variable "max_retries" { type = number }

locals {
  name = "${var.shard}-${var.runner_name}"
  tags = {
    "hosted-runner:stack" = var.runner_name
    "hosted-runner:shard" = var.shard
  }
}

resource "aws_cloudwatch_log_group" "runner" {
  name = "/gitlab-runner/${local.name}"
  tags = merge(local.tags, { Name = "${local.name}_log" })
}

resource "aws_security_group" "runner" {
  name   = "${local.name}_runner-manager"
  vpc_id = var.vpc_id
  tags   = merge(local.tags, { Name = "${local.name}_runner-manager" })
}

resource "aws_instance" "runner_manager" {
  ami                    = var.ami_id
  instance_type          = "t3.small"
  subnet_id              = var.subnet_ids[0]
  vpc_security_group_ids = [aws_security_group.runner.id]
  tags                   = merge(local.tags, { Name = "${local.name}_runner-manager" })
}
