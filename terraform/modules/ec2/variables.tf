variable "name" {
  description = "Name tag."
  type        = string
}

variable "tags" {
  description = "Tags besides the name."
  type        = map(string)
}

variable "ami_id" {
  description = "Image of the host."
  type        = string
}

variable "instance_type" {
  description = "Type of the instance."
  type        = string
}

variable "subnet_id" {
  description = "Subnet of the instance."
  type        = string
}

variable "security_group_ids" {
  description = "Security groups of the instance."
  type        = list(string)
}

variable "instance_profile" {
  description = "Instance profile of the instance."
  type        = string
}

variable "volume_size_gib" {
  description = "Size of the root volume."
  type        = number
}

variable "user_data" {
  description = "Script of the first boot."
  type        = string
}
