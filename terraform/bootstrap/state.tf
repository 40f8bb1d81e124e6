resource "aws_s3_bucket" "states" {
  bucket = var.bucket
}

resource "aws_s3_bucket_versioning" "states" {
  bucket = aws_s3_bucket.states.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "states" {
  bucket = aws_s3_bucket.states.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

resource "aws_s3_bucket_public_access_block" "states" {
  bucket = aws_s3_bucket.states.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

data "aws_iam_policy_document" "states" {
  statement {
    sid       = "OnlyTls"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.states.arn, "${aws_s3_bucket.states.arn}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_s3_bucket_policy" "states" {
  bucket = aws_s3_bucket.states.id
  policy = data.aws_iam_policy_document.states.json
  # Two changes of a bucket's access at the same time conflict.
  depends_on = [aws_s3_bucket_public_access_block.states]
}
