# With null, the module's default applies (see its README).
variable "shard" {
  description = "Shard to build. hosted-runner sets it."
  type        = string
}

variable "runner_name" {
  description = "Stack of the shard. hosted-runner sets it."
  type        = string
}

variable "region" {
  description = "AWS region. Null uses the environment."
  type        = string
  default     = null
}

variable "max_retries" {
  description = "Maximum retries of a call that AWS throttles."
  type        = number
  default     = 10
}

variable "gitlab_url" {
  description = "Address of GitLab. Null for GitHub runners."
  type        = string
  default     = null
}

variable "github" {
  description = "Settings of GitHub runners, one on each host; null for gitlab-runner. docker makes jobs root on the host, and archive_url names the released runner for images without /opt/actions-runner."
  type        = any
  default     = null
}

variable "subnet_ids" {
  description = "Subnets of the runner managers, used in turn. They need a route to GitLab and AWS."
  type        = list(string)
}

variable "vpc_id" {
  description = "VPC of the subnets."
  type        = string
}

variable "ami_id" {
  description = "Image of the hosts: Amazon Linux 2023, or another image with dnf, systemd and the SSM agent."
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
  description = "Number of runner managers, as in `managers` of hosted-runners.yml."
  type        = number
  default     = null
}

variable "runner_image" {
  description = "Container image of gitlab-runner, pinned to a version."
  type        = string
  default     = null
}

variable "job_image" {
  description = "Default image of jobs."
  type        = string
  default     = null
}

variable "concurrent" {
  description = "Maximum number of jobs that one runner manager runs at once."
  type        = number
  default     = null
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
  default     = null
}

variable "autoscaler" {
  description = "Settings of docker-autoscaler: each manager runs jobs on instances of its Auto Scaling group. With null, jobs run in containers on the manager."
  type        = any
  default     = null
}

variable "lifecycle_hook" {
  description = "Lifecycle hooks of your Auto Scaling group: a terminating hook with the output heartbeat_timeout, and a launch hook with the default result ABANDON. Jobs of a terminating host can run for drain_limit_hours."
  type        = any
  default     = null
}

variable "extra_tags" {
  description = "Additional tags of all resources."
  type        = map(string)
  default     = null
}
