# The image of the GitLab templates: `hosted-runner` on PATH, and Terraform or OpenTofu if asked for.
#
#   docker build --tag hosted-runner-deploy .
#   docker build --build-arg TERRAFORM_VERSION=1.11.4 --build-arg TERRAFORM_SHA256=… .
#
# Base images by argument, so that a mirror or a digest can take their place.
ARG BUILD_IMAGE=node:24.11.1-bookworm
ARG BASE_IMAGE=node:24.11.1-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

# Downloads stay in this stage. Without a version nothing is downloaded; with one, its checksum is
# due: of terraform_VERSION_linux_ARCH.zip or tofu_VERSION_linux_ARCH.zip.
FROM ${BUILD_IMAGE} AS tools
ARG TARGETARCH=amd64
ARG TERRAFORM_VERSION=
ARG TERRAFORM_SHA256=
ARG TERRAFORM_SOURCE=https://releases.hashicorp.com/terraform
ARG TOFU_VERSION=
ARG TOFU_SHA256=
ARG TOFU_SOURCE=https://github.com/opentofu/opentofu/releases/download
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
RUN mkdir -p /tools \
  && if [ -n "${TERRAFORM_VERSION}${TOFU_VERSION}" ]; then \
    apt-get update -qq && apt-get install -y -qq --no-install-recommends unzip; \
  fi \
  && if [ -n "$TERRAFORM_VERSION" ]; then \
    curl -fsSL --proto '=https' -o /tmp/terraform.zip \
      "$TERRAFORM_SOURCE/$TERRAFORM_VERSION/terraform_${TERRAFORM_VERSION}_linux_${TARGETARCH}.zip"; \
    echo "${TERRAFORM_SHA256:?is missing} /tmp/terraform.zip" | sha256sum --check --strict; \
    unzip -q /tmp/terraform.zip terraform -d /tools; \
  fi \
  && if [ -n "$TOFU_VERSION" ]; then \
    curl -fsSL --proto '=https' -o /tmp/tofu.zip \
      "$TOFU_SOURCE/v$TOFU_VERSION/tofu_${TOFU_VERSION}_linux_${TARGETARCH}.zip"; \
    echo "${TOFU_SHA256:?is missing} /tmp/tofu.zip" | sha256sum --check --strict; \
    unzip -q /tmp/tofu.zip tofu -d /tools; \
  fi

FROM ${BASE_IMAGE}
# git and certificates are what modules of Terraform are fetched with.
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=tools /tools/ /usr/local/bin/
COPY --from=build /build/dist/ /opt/hosted-runner/
RUN ln -s /opt/hosted-runner/index.js /usr/local/bin/hosted-runner \
  && hosted-runner version
# GitLab's runner starts a shell in here, which an entrypoint would get in the way of.
ENTRYPOINT []
CMD ["hosted-runner", "--help"]
USER node
