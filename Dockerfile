# The image of the GitLab templates: `hosted-runner` on PATH. Three of one file:
#
#   docker build --target plain     --tag hosted-runner-deploy:X .            driver: command
#   docker build --target terraform --tag hosted-runner-deploy:X-terraform .  the default of the templates
#   docker build --target tofu      --tag hosted-runner-deploy:X-tofu .       binary: tofu
#
# Nothing is compiled and nothing is downloaded but the base images and two packages of Debian: dist/ is
# committed. Base images by argument, so a mirror can take their place. Their digests are of the index
# of all architectures; Renovate keeps them, and adds those that test/structure/pinned.test.ts lists.
ARG BASE_IMAGE=node:24.11.1-bookworm-slim@sha256:48abc13a19400ca3985071e287bd405a1d99306770eb81d61202fb6b65cf0b57
ARG TERRAFORM_IMAGE=hashicorp/terraform:1.13.5@sha256:6bbb82d575aa7bd4f0a2c6e3a0838ab9590426c08a71d7a2783643f01004d356
ARG TOFU_IMAGE=ghcr.io/opentofu/opentofu:1.10.7-minimal

FROM ${TERRAFORM_IMAGE} AS terraform-binary
FROM ${TOFU_IMAGE} AS tofu-binary

FROM ${BASE_IMAGE} AS plain
# git and certificates are what modules of Terraform are fetched with.
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY dist/ /opt/hosted-runner/
COPY LICENSE /opt/hosted-runner/LICENSE
RUN ln -s /opt/hosted-runner/index.js /usr/local/bin/hosted-runner \
  && hosted-runner version
# GitLab's runner starts a shell in here, which an entrypoint would get in the way of.
ENTRYPOINT []
CMD ["hosted-runner", "--help"]
USER node

FROM plain AS terraform
COPY --from=terraform-binary /bin/terraform /usr/local/bin/terraform
RUN terraform version

FROM plain AS tofu
COPY --from=tofu-binary /usr/local/bin/tofu /usr/local/bin/tofu
RUN tofu version
