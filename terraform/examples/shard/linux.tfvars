# Variables of the stack linux. hosted-runner sets shard and runner_name.
region        = "eu-west-1"
gitlab_url    = "https://gitlab.example.com"
vpc_id        = "vpc-0123456789abcdef0"
subnet_ids    = ["subnet-0123456789abcdef0"]
ami_id        = "ami-0123456789abcdef0"
concurrent    = 4
overlap_limit = 8
