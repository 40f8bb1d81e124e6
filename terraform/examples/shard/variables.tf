# A null is left to the module, whose README names the value.
variable "shard" {
  description = "The shard that is built; hosted-runner gives it."
  type        = string
}

variable "runner_name" {
  description = "The stack that the shard belongs to; hosted-runner gives it."
  type        = string
}

variable "region" {
  description = "AWS region; null takes it from the environment."
  type        = string
  default     = null
}

variable "max_retries" {
  description = "How often the provider repeats a call that AWS throttles."
  type        = number
  default     = 10
}

variable "gitlab_url" {
  description = "Address of GitLab; null where the runners are GitHub's."
  type        = string
  default     = null
}

variable "github" {
  description = "Null: hosts of gitlab-runner. Otherwise hosts of one GitHub runner each: where it registers, whether it leaves with its first job, whether its jobs may use Docker and are root on the host by that, and the released archive for images that have none in /opt/actions-runner."
  type        = any
  default     = null
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
  default     = null
}

variable "volume_size_gib" {
  description = "Size of the encrypted root volume."
  type        = number
  default     = null
}

variable "managers" {
  description = "How many runner managers the shard has; the same number as `managers` in hosted-runners.yml."
  type        = number
  default     = null
}

variable "runner_image" {
  description = "Container image of gitlab-runner, pinned to a version."
  type        = string
  default     = null
}

variable "job_image" {
  description = "Image of jobs that name none."
  type        = string
  default     = null
}

variable "concurrent" {
  description = "How many jobs one runner manager runs at once."
  type        = number
  default     = null
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
}

variable "kms_key_arn" {
  description = "KMS key of the token, where it is not the account's alias/aws/ssm."
  type        = string
  default     = null
}

variable "log_retention_days" {
  description = "How long the logs of the runner managers are kept."
  type        = number
  default     = null
}

variable "autoscaler" {
  description = "Null: jobs run in containers on the manager itself. Otherwise on instances of an Auto Scaling group for each manager, by docker-autoscaler and the released fleeting plugin."
  type        = any
  default     = null
}

variable "lifecycle_hook" {
  description = "The hooks that the on-host services answer, where the managers are put into an Auto Scaling group of yours: a terminating one whose heartbeat timeout is the output heartbeat_timeout, and one at launch whose default result is ABANDON. drain_limit_hours: how long the jobs of a host may last that the group terminates."
  type        = any
  default     = null
}

variable "extra_tags" {
  description = "Further tags of everything."
  type        = map(string)
  default     = null
}
