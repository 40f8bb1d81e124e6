# infrastructure/linux-large.tfvars: variables of the stack; shard and runner_name come from
# hosted-runner.
region        = "eu-central-1"
vpc_id        = "vpc-0123456789abcdef0"
subnet_ids    = ["subnet-0123456789abcdef0"]
ami_id        = "ami-0123456789abcdef0"
instance_type = "c7a.xlarge"
# The same as `managers` in hosted-runners.yml. A host runs one job at a time.
managers   = 3
concurrent = 1

github = {
  # The organization, repository or enterprise of hosted-runners.yml.
  url = "https://github.com/acme"
  # For jobs with containers or services. A job that may use Docker is root on the host.
  # docker = true
  # For an image that has no runner in /opt/actions-runner: the released archive and the digest that
  # https://github.com/actions/runner/releases names.
  # archive_url    = "https://github.com/actions/runner/releases/download/v2.337.0/actions-runner-linux-x64-2.337.0.tar.gz"
  # archive_sha256 = ""
}
