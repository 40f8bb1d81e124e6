# The document that host.document names, one for each stack. The document has a separate root module, because
# both shards use it and the removal of a shard must not delete it. Write the content file first, and again after
# an upgrade of hosted-runner:
#   hosted-runner check-document --runner linux --output check-document.json
terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "runner_name" {
  description = "The stack whose hosts are checked."
  type        = string
  default     = "linux"
}

variable "content_file" {
  description = "The file that hosted-runner check-document writes, in this folder."
  type        = string
  default     = "check-document.json"
}

resource "aws_ssm_document" "checks" {
  name            = "hosted-runner-checks-${var.runner_name}"
  document_type   = "Command"
  document_format = "JSON"
  target_type     = "/AWS::EC2::Instance"

  # hosted-runner compares the hash of the exact content. An editor or commit hook must not add a line break.
  content = trimspace(file("${path.module}/${var.content_file}"))
}
