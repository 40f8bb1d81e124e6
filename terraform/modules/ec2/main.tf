resource "aws_instance" "runner_manager" {
  ami                         = var.ami_id
  instance_type               = var.instance_type
  subnet_id                   = var.subnet_id
  vpc_security_group_ids      = var.security_group_ids
  iam_instance_profile        = var.instance_profile
  user_data                   = var.user_data
  user_data_replace_on_change = true
  tags                        = merge(var.tags, { Name = var.name })
  volume_tags                 = merge(var.tags, { Name = var.name })

  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "required"
    # One hop: the runner uses the host's network, and a job's container is one hop further away.
    http_put_response_hop_limit = 1
    # The firewall rules that keep jobs from the metadata cover only the IPv4 address.
    http_protocol_ipv6 = "disabled"
  }

  root_block_device {
    encrypted   = true
    volume_size = var.volume_size_gib
    volume_type = "gp3"
  }
}
