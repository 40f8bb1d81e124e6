terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.40, < 7.0"
    }
  }

  # Filled in by infrastructure.backend_config: one state for each shard.
  backend "s3" {}
}

# No default_tags: they make every launch template differ from its plan for ever.
provider "aws" {
  region      = var.region
  max_retries = var.max_retries
}
