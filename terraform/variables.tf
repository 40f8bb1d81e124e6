variable "shard" {
  description = "Shard to build. hosted-runner sets it."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9]{1,20}$", var.shard))
    error_message = "shard has to be 1 to 20 lower-case letters or digits."
  }
}

variable "runner_name" {
  description = "Stack of the shard. hosted-runner sets it."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$", var.runner_name))
    error_message = "runner_name has to be 1 to 63 lower-case letters, digits and inner hyphens."
  }
}

variable "gitlab_url" {
  description = "Address of GitLab. Null for GitHub runners."
  type        = string
  default     = null

  validation {
    condition     = var.gitlab_url == null || can(regex("^(?:https://[^\\s/?#@\"\\\\]+|http://(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1\\])(?::[0-9]{1,5})?)(?:/[^\\s?#\"\\\\]*)?$", var.gitlab_url))
    error_message = "gitlab_url has to be an address such as https://gitlab.example.com. The runner sends its token there, so http is allowed for loopback only."
  }
}

variable "github" {
  description = "Settings of GitHub runners, one on each host; null for gitlab-runner. docker makes jobs root on the host, and archive_url names the released runner for images without /opt/actions-runner."
  type = object({
    url            = string
    ephemeral      = optional(bool, false)
    docker         = optional(bool, false)
    archive_url    = optional(string)
    archive_sha256 = optional(string)
  })
  default = null

  validation {
    condition     = var.github == null || can(regex("^https://[A-Za-z0-9.:-]+/[A-Za-z0-9._/-]+$", var.github.url))
    error_message = "github.url has to be an organization, repository or enterprise, such as https://github.com/acme."
  }

  validation {
    condition     = try(var.github.archive_url, null) == null || can(regex("^https://[^\\s']+$", var.github.archive_url)) && can(regex("^[0-9a-f]{64}$", var.github.archive_sha256))
    error_message = "github.archive_url has to be an address, and archive_sha256 the 64 hexadecimal digits of its release."
  }
}

variable "subnet_ids" {
  description = "Subnets of the runner managers, used in turn. They need a route to GitLab and AWS."
  type        = list(string)

  validation {
    condition     = length(var.subnet_ids) > 0
    error_message = "subnet_ids has to contain at least one subnet."
  }
}

variable "vpc_id" {
  description = "VPC of the subnets."
  type        = string
}

variable "ami_id" {
  description = "Image of the hosts: Amazon Linux 2023, or another image with dnf, systemd and the SSM agent."
  type        = string

  validation {
    condition     = can(regex("^ami-[0-9a-f]{8,17}$", var.ami_id))
    error_message = "ami_id has to be the id of an image: ami- and hexadecimal digits."
  }
}

variable "instance_type" {
  description = "Type of the runner managers' instances."
  type        = string
  default     = "t3.medium"
  nullable    = false
}

variable "volume_size_gib" {
  description = "Size of the encrypted root volume."
  type        = number
  default     = 50
  nullable    = false

  validation {
    condition     = var.volume_size_gib >= 8 && var.volume_size_gib <= 16384
    error_message = "volume_size_gib has to be 8 to 16384."
  }
}

variable "managers" {
  description = "Number of runner managers, as in `managers` of hosted-runners.yml."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.managers >= 1 && var.managers <= 50 && floor(var.managers) == var.managers
    error_message = "managers has to be 1 to 50."
  }
}

variable "runner_image" {
  description = "Container image of gitlab-runner, pinned to a version."
  type        = string
  default     = "registry.gitlab.com/gitlab-org/gitlab-runner:alpine-v19.3.0"
  nullable    = false

  validation {
    condition     = can(regex("^[a-zA-Z0-9._/-]+(?::[0-9]+/[a-zA-Z0-9._/-]+)?(?::[A-Za-z0-9._-]+|@sha256:[0-9a-f]{64})$", var.runner_image)) && !endswith(var.runner_image, ":latest")
    error_message = "runner_image has to name a version or a digest, and not latest."
  }
}

variable "job_image" {
  description = "Default image of jobs."
  type        = string
  default     = "alpine:3.22"
  nullable    = false

  # It is written into a string of config.toml.
  validation {
    condition     = can(regex("^[^\\s\"\\\\[:cntrl:]]+$", var.job_image))
    error_message = "job_image has to be the name of an image, such as alpine:3.22, without spaces, quotes and backslashes."
  }
}

variable "concurrent" {
  description = "Maximum number of jobs that one runner manager runs at once."
  type        = number
  default     = 4
  nullable    = false

  validation {
    condition     = var.concurrent >= 1 && floor(var.concurrent) == var.concurrent
    error_message = "concurrent has to be a whole number of at least 1."
  }
}

variable "overlap_limit" {
  description = "Maximum number of jobs that both shards may run at once during a promotion. Settings that exceed it are refused (null: no limit)."
  type        = number
  default     = null
}

variable "parameter_prefix" {
  description = "Path of the stack in Parameter Store, which contains {shard}/runner_token. Null means /gitlab/dedicated/runner/{runner_name}/."
  type        = string
  default     = null

  validation {
    condition     = var.parameter_prefix == null || can(regex("^/(?:[A-Za-z0-9_.-]+/)+$", var.parameter_prefix))
    error_message = "parameter_prefix has to be a path of Parameter Store that begins and ends with a slash."
  }
}

variable "kms_key_arn" {
  description = "KMS key of the token, if it is not the account's alias/aws/ssm."
  type        = string
  default     = null
}

variable "permissions_boundary" {
  description = "Name of the IAM policy that limits the hosts' role (permissions boundary). Null means none."
  type        = string
  default     = null
}

variable "log_retention_days" {
  description = "Retention of the runner managers' logs."
  type        = number
  default     = 30
  nullable    = false
}

variable "autoscaler" {
  description = "Settings of docker-autoscaler: each manager runs jobs on instances of its Auto Scaling group. With null, jobs run in containers on the manager."
  type = object({
    ami_id                = string
    plugin                = optional(string, "aws:1.1.0")
    instance_type         = optional(string, "t3.large")
    max_instances         = optional(number, 10)
    capacity_per_instance = optional(number, 1)
    idle_count            = optional(number, 1)
    idle_time             = optional(string, "20m0s")
    max_use_count         = optional(number, 1)
    user                  = optional(string, "ec2-user")
    root_device_name      = optional(string, "/dev/xvda")
  })
  default = null

  validation {
    condition     = var.autoscaler == null || can(regex("^[a-z_][a-z0-9_-]{0,31}$", var.autoscaler.user))
    error_message = "autoscaler.user has to be a user of the workers' image with access to Docker, such as ec2-user or ubuntu."
  }

  # It is written into a string of config.toml.
  validation {
    condition     = var.autoscaler == null || can(regex("^(?:[0-9]+(?:\\.[0-9]+)?(?:h|m|s|ms))+$", var.autoscaler.idle_time))
    error_message = "autoscaler.idle_time has to be a duration such as 20m0s."
  }

  validation {
    condition     = var.autoscaler == null || can(regex("^/dev/[a-z0-9]{1,20}$", var.autoscaler.root_device_name))
    error_message = "autoscaler.root_device_name has to be the root device of the workers' image: /dev/xvda for Amazon Linux, /dev/sda1 for Ubuntu."
  }

  validation {
    condition     = var.autoscaler == null || can(regex("^[a-z0-9][a-z0-9./_-]*:[0-9]+\\.[0-9]+\\.[0-9]+$", var.autoscaler.plugin))
    error_message = "autoscaler.plugin has to name a fleeting plugin and its whole version, such as aws:1.1.0."
  }
}

variable "lifecycle_hook" {
  description = "Lifecycle hooks of your Auto Scaling group: a terminating hook with the output heartbeat_timeout, and a launch hook with the default result ABANDON. Jobs of a terminating host can run for drain_limit_hours."
  type = object({
    autoscaling_group_name = string
    hook_name              = string
    launch_hook_name       = optional(string)
    drain_limit_hours      = optional(number, 48)
  })
  default = null

  validation {
    condition     = var.lifecycle_hook == null || (try(var.lifecycle_hook.drain_limit_hours, 0) > 0 && try(var.lifecycle_hook.drain_limit_hours, 49) <= 48)
    error_message = "lifecycle_hook.drain_limit_hours has to be more than 0 and at most 48, because AWS ends the wait of a terminating hook after 48 hours."
  }

  # The script of the first boot, which runs as root, writes them into a file.
  validation {
    condition = var.lifecycle_hook == null || can(regex("^[A-Za-z0-9_./ +=@,-]{1,255}$", var.lifecycle_hook.autoscaling_group_name)) && alltrue([
      for name in [try(var.lifecycle_hook.hook_name, ""), try(coalesce(var.lifecycle_hook.launch_hook_name, "none"), "none")] : can(regex("^[A-Za-z0-9_/-]{1,255}$", name))
    ])
    error_message = "lifecycle_hook: the group's name may contain letters, digits, spaces and _./+=@,- and the hooks' names letters, digits and _/-."
  }
}

variable "extra_tags" {
  description = "Additional tags of all resources."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for key in keys(var.extra_tags) : !startswith(key, "hosted-runner:") && key != "Name"])
    error_message = "extra_tags may not contain Name or tags that begin with hosted-runner:, because the module sets them."
  }
}
