variable "shard" {
  description = "The shard that is built; hosted-runner gives it."
  type        = string
}

variable "runner_name" {
  description = "The stack that the shard belongs to; hosted-runner gives it."
  type        = string
}

variable "gitlab_url" {
  description = "Address of GitLab; null where the runners are GitHub's."
  type        = string
}

variable "github" {
  description = "Null: hosts of gitlab-runner. Otherwise hosts of one GitHub runner each: where it registers, whether it leaves with its first job, and the released archive for images that have none in /opt/actions-runner."
  type = object({
    url            = string
    ephemeral      = optional(bool, false)
    archive_url    = optional(string)
    archive_sha256 = optional(string)
  })
}

variable "subnet_ids" {
  description = "Subnets of the runner managers, taken in turn. They need a way out to GitLab and AWS."
  type        = list(string)
}

variable "vpc_id" {
  description = "VPC of the subnets."
  type        = string
}

variable "ami_id" {
  description = "Image of the hosts. Amazon Linux 2023 or another one with dnf, systemd and the SSM agent."
  type        = string
}

variable "instance_type" {
  description = "Type of the runner managers' instances."
  type        = string
}

variable "volume_size_gib" {
  description = "Size of the encrypted root volume."
  type        = number
}

variable "managers" {
  description = "How many runner managers the shard has; the same number as `managers` in hosted-runners.yml."
  type        = number
}

variable "runner_image" {
  description = "Container image of gitlab-runner, pinned to a version."
  type        = string
}

variable "job_image" {
  description = "Image of jobs that name none."
  type        = string
}

variable "concurrent" {
  description = "How many jobs one runner manager runs at once."
  type        = number
}

variable "parameter_prefix" {
  description = "Parameter Store path of the stack; the token of the shard is at {prefix}{shard}/runner_token. Null: /gitlab/dedicated/runner/{runner_name}/."
  type        = string
}

variable "kms_key_arn" {
  description = "KMS key of the token, where it is not the account's alias/aws/ssm."
  type        = string
}

variable "log_retention_days" {
  description = "How long the logs of the runner managers are kept."
  type        = number
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
  })
}

variable "lifecycle_hook" {
  description = "The hooks that the on-host services answer, where the managers are put into an Auto Scaling group of yours: a terminating one whose heartbeat timeout is the output heartbeat_timeout, and one at launch whose default result is ABANDON. drain_limit_hours: how long the jobs of a host may last that the group terminates."
  type = object({
    autoscaling_group_name = string
    hook_name              = string
    launch_hook_name       = optional(string)
    drain_limit_hours      = optional(number, 48)
  })
}

variable "extra_tags" {
  description = "Further tags of everything."
  type        = map(string)
}
