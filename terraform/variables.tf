variable "shard" {
  description = "The shard that is built; hosted-runner gives it."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9]{1,20}$", var.shard))
    error_message = "shard is 1 to 20 lower-case letters or digits."
  }
}

variable "runner_name" {
  description = "The stack that the shard belongs to; hosted-runner gives it."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$", var.runner_name))
    error_message = "runner_name is 1 to 63 lower-case letters, digits and inner hyphens."
  }
}

variable "gitlab_url" {
  description = "Address of GitLab; null where the runners are GitHub's."
  type        = string
  default     = null

  validation {
    condition     = var.gitlab_url == null || can(regex("^(?:https://[^\\s/?#@\"\\\\]+|http://(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1\\])(?::[0-9]{1,5})?)(?:/[^\\s?#\"\\\\]*)?$", var.gitlab_url))
    error_message = "gitlab_url is an address such as https://gitlab.example.com. The runner sends its token there, so plain http is for loopback only."
  }
}

variable "github" {
  description = "Null: hosts of gitlab-runner. Otherwise hosts of one GitHub runner each: where it registers, whether it leaves with its first job, whether its jobs may use Docker and are root on the host by that, and the released archive for images that have none in /opt/actions-runner."
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
    error_message = "github.url is the organization, repository or enterprise, such as https://github.com/acme."
  }

  validation {
    condition     = try(var.github.archive_url, null) == null || can(regex("^https://[^\\s']+$", var.github.archive_url)) && can(regex("^[0-9a-f]{64}$", var.github.archive_sha256))
    error_message = "github.archive_url is an address, and archive_sha256 the 64 hexadecimal digits that its release names."
  }
}

variable "subnet_ids" {
  description = "Subnets of the runner managers, taken in turn. They need a way out to GitLab and AWS."
  type        = list(string)

  validation {
    condition     = length(var.subnet_ids) > 0
    error_message = "At least one subnet is needed."
  }
}

variable "vpc_id" {
  description = "VPC of the subnets."
  type        = string
}

variable "ami_id" {
  description = "Image of the hosts. Amazon Linux 2023 or another one with dnf, systemd and the SSM agent."
  type        = string

  validation {
    condition     = can(regex("^ami-[0-9a-f]{8,17}$", var.ami_id))
    error_message = "ami_id is the id of an image: ami- and hexadecimal digits."
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
    error_message = "volume_size_gib is 8 to 16384."
  }
}

variable "managers" {
  description = "How many runner managers the shard has; the same number as `managers` in hosted-runners.yml."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = var.managers >= 1 && var.managers <= 50 && floor(var.managers) == var.managers
    error_message = "managers is 1 to 50."
  }
}

variable "runner_image" {
  description = "Container image of gitlab-runner, pinned to a version."
  type        = string
  default     = "registry.gitlab.com/gitlab-org/gitlab-runner:alpine-v19.3.0"
  nullable    = false

  validation {
    condition     = can(regex("^[a-zA-Z0-9._/-]+(?::[0-9]+/[a-zA-Z0-9._/-]+)?(?::[A-Za-z0-9._-]+|@sha256:[0-9a-f]{64})$", var.runner_image)) && !endswith(var.runner_image, ":latest")
    error_message = "runner_image names a version or a digest, and not latest."
  }
}

variable "job_image" {
  description = "Image of jobs that name none."
  type        = string
  default     = "alpine:3.22"
  nullable    = false

  # It is written into a string of config.toml.
  validation {
    condition     = can(regex("^[^\\s\"\\\\[:cntrl:]]+$", var.job_image))
    error_message = "job_image is the name of an image, such as alpine:3.22, without spaces, quotes and backslashes."
  }
}

variable "concurrent" {
  description = "How many jobs one runner manager runs at once."
  type        = number
  default     = 4
  nullable    = false

  validation {
    condition     = var.concurrent >= 1 && floor(var.concurrent) == var.concurrent
    error_message = "concurrent is a whole number of at least 1."
  }
}

variable "overlap_limit" {
  description = "While a deployment promotes, both shards serve. Refuses settings by which they could run more jobs than this together; null: no limit."
  type        = number
  default     = null
}

variable "parameter_prefix" {
  description = "Parameter Store path of the stack; the token of the shard is at {prefix}{shard}/runner_token. Null: /gitlab/dedicated/runner/{runner_name}/."
  type        = string
  default     = null

  validation {
    condition     = var.parameter_prefix == null || can(regex("^/(?:[A-Za-z0-9_.-]+/)+$", var.parameter_prefix))
    error_message = "parameter_prefix is a path of Parameter Store that begins and ends with a slash."
  }
}

variable "kms_key_arn" {
  description = "KMS key of the token, where it is not the account's alias/aws/ssm."
  type        = string
  default     = null
}

variable "log_retention_days" {
  description = "How long the logs of the runner managers are kept."
  type        = number
  default     = 30
  nullable    = false
}

variable "autoscaler" {
  description = "Null: jobs run in containers on the manager itself. Otherwise on instances of an Auto Scaling group for each manager, by docker-autoscaler and the released fleeting plugin."
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
    error_message = "autoscaler.user is a user of the workers' image who may speak to its Docker, such as ec2-user or ubuntu."
  }

  # It is written into a string of config.toml.
  validation {
    condition     = var.autoscaler == null || can(regex("^(?:[0-9]+(?:\\.[0-9]+)?(?:h|m|s|ms))+$", var.autoscaler.idle_time))
    error_message = "autoscaler.idle_time is a duration such as 20m0s."
  }

  validation {
    condition     = var.autoscaler == null || can(regex("^/dev/[a-z0-9]{1,20}$", var.autoscaler.root_device_name))
    error_message = "autoscaler.root_device_name is what the workers' image calls its volume: /dev/xvda of Amazon Linux, /dev/sda1 of Ubuntu."
  }

  validation {
    condition     = var.autoscaler == null || can(regex("^[a-z0-9][a-z0-9./_-]*:[0-9]+\\.[0-9]+\\.[0-9]+$", var.autoscaler.plugin))
    error_message = "autoscaler.plugin names a fleeting plugin and its whole version, such as aws:1.1.0."
  }
}

variable "lifecycle_hook" {
  description = "The hooks that the on-host services answer, where the managers are put into an Auto Scaling group of yours: a terminating one whose heartbeat timeout is the output heartbeat_timeout, and one at launch whose default result is ABANDON. drain_limit_hours: how long the jobs of a host may last that the group terminates."
  type = object({
    autoscaling_group_name = string
    hook_name              = string
    launch_hook_name       = optional(string)
    drain_limit_hours      = optional(number, 48)
  })
  default = null

  validation {
    condition     = var.lifecycle_hook == null || (try(var.lifecycle_hook.drain_limit_hours, 0) > 0 && try(var.lifecycle_hook.drain_limit_hours, 49) <= 48)
    error_message = "lifecycle_hook.drain_limit_hours is more than 0 and 48 at most: AWS ends a terminating hook's wait then, whatever its heartbeats."
  }

  # Root's script of the first boot writes them into a file.
  validation {
    condition = var.lifecycle_hook == null || can(regex("^[A-Za-z0-9_./ +=@,-]{1,255}$", var.lifecycle_hook.autoscaling_group_name)) && alltrue([
      for name in [try(var.lifecycle_hook.hook_name, ""), try(coalesce(var.lifecycle_hook.launch_hook_name, "none"), "none")] : can(regex("^[A-Za-z0-9_/-]{1,255}$", name))
    ])
    error_message = "lifecycle_hook names a group by letters, digits, spaces and _./+=@,- and its hooks by letters, digits and _/-."
  }
}

variable "extra_tags" {
  description = "Further tags of everything."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for key in keys(var.extra_tags) : !startswith(key, "hosted-runner:") && key != "Name"])
    error_message = "Name and tags that begin with hosted-runner: are the module's own."
  }
}
