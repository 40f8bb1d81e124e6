variable "region" {
  description = "AWS region of the stacks and of the bucket."
  type        = string

  validation {
    condition     = can(regex("^[a-z]{2}(?:-[a-z]+)+-[0-9]$", var.region))
    error_message = "region has to be a region of AWS, such as eu-west-1."
  }
}

variable "stacks" {
  description = "Stacks that the role deploys. Each needs three policies, and AWS attaches at most ten to a role unless you increase this quota."
  type        = list(string)

  validation {
    condition     = length(var.stacks) > 0 && alltrue([for name in var.stacks : can(regex("^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$", name))])
    error_message = "stacks has to name at least one stack with 1 to 63 lower-case letters, digits and inner hyphens."
  }
}

variable "bucket" {
  description = "Name of the bucket of Terraform's states. It is created."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", var.bucket))
    error_message = "bucket has to be 3 to 63 lower-case letters, digits, dots and hyphens."
  }
}

variable "oidc_url" {
  description = "Issuer of the CI's ID tokens: the address of GitLab, or https://token.actions.githubusercontent.com."
  type        = string

  validation {
    condition     = can(regex("^https://[^\\s]*[^\\s/]$", var.oidc_url))
    error_message = "oidc_url has to begin with https:// and to end without a slash."
  }
}

variable "oidc_subjects" {
  description = "Subjects of the ID tokens that the role trusts, without patterns."
  type        = list(string)

  validation {
    condition     = length(var.oidc_subjects) > 0 && alltrue([for one in var.oidc_subjects : !can(regex("[*?]|FILL_IN", one))])
    error_message = "oidc_subjects has to name at least one subject, without * and ?."
  }
}

variable "oidc_audience" {
  description = "Audience of the ID tokens."
  type        = string
  default     = "sts.amazonaws.com"
  nullable    = false
}

variable "oidc_provider_arn" {
  description = "Existing identity provider for oidc_url, because AWS allows one for each address. Null creates it."
  type        = string
  default     = null
}

variable "role_name" {
  description = "Name of the role."
  type        = string
  default     = "hosted-runner-deploy"
  nullable    = false
}

variable "shards" {
  description = "Names of the two shards, as in hosted-runners.yml."
  type        = list(string)
  default     = ["pink", "purple"]
  nullable    = false

  validation {
    condition     = length(var.shards) == 2
    error_message = "shards has to contain two names."
  }
}

variable "parameter_prefix" {
  description = "Path of a stack in Parameter Store, as in hosted-runners.yml."
  type        = string
  default     = "/gitlab/dedicated/runner/{runner_name}/"
  nullable    = false

  validation {
    condition     = can(regex("^/(?:[A-Za-z0-9_.{}-]+/)+$", var.parameter_prefix)) && strcontains(var.parameter_prefix, "{runner_name}")
    error_message = "parameter_prefix has to be a path with {runner_name} that begins and ends with a slash."
  }
}
