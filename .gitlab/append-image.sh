# Builds the image of the templates without a container: it appends the program as one layer to a base
# image that has Node, git and certificates. The job needs no privileged runner and no Docker.
#
#   sh .gitlab/append-image.sh TARGET     plain, terraform or tofu, as in the Dockerfile
#
# Environment: BASE_IMAGE, CI_REGISTRY_IMAGE, IMAGE_TAG, PLATFORMS. TERRAFORM_IMAGE and TOFU_IMAGE
# default to the images of the Dockerfile.
set -eu
target=$1
layer=$(mktemp -d)
trap 'rm -rf "$layer"' EXIT

case $target in
  plain) suffix='' binary='' ;;
  terraform) suffix=-terraform binary=bin/terraform ;;
  tofu) suffix=-tofu binary=usr/local/bin/tofu ;;
  *) echo "The target is \"$target\"; expected plain, terraform or tofu." >&2; exit 2 ;;
esac
argument() { sed -n "s/^ARG $1=//p" Dockerfile; }
case $target in
  terraform) source=${TERRAFORM_IMAGE:-$(argument TERRAFORM_IMAGE)} ;;
  tofu) source=${TOFU_IMAGE:-$(argument TOFU_IMAGE)} ;;
esac

# The layer lists files only: an entry for /usr would replace the owner of that folder.
mkdir -p "$layer/opt" "$layer/usr/local/bin"
cp -R dist "$layer/opt/hosted-runner"
cp LICENSE "$layer/opt/hosted-runner/LICENSE"
# GitLab's runner checks files out with the permissions 0666.
find "$layer/opt" -type d -exec chmod 755 {} +
find "$layer/opt" -type f -exec chmod 644 {} +
chmod 755 "$layer/opt/hosted-runner/index.js"
ln -s /opt/hosted-runner/index.js "$layer/usr/local/bin/hosted-runner"
entries='opt/hosted-runner usr/local/bin/hosted-runner'
[ -z "$binary" ] || entries="$entries usr/local/bin/$target"

members=''
for platform in $PLATFORMS; do
  if [ -n "$binary" ]; then
    # A pipe would hide a failure of crane.
    crane export --platform "$platform" "$source" "$layer/source.tar"
    tar -xf "$layer/source.tar" -C "$layer" "$binary"
    [ "$binary" = "usr/local/bin/$target" ] || mv "$layer/$binary" "$layer/usr/local/bin/$target"
    chmod 755 "$layer/usr/local/bin/$target"
  fi
  # shellcheck disable=SC2086 # One word an entry.
  tar -cf "$layer/layer.tar" -C "$layer" $entries
  member=$CI_REGISTRY_IMAGE:$IMAGE_TAG$suffix-$(echo "$platform" | tr / -)
  crane mutate "$BASE_IMAGE" --platform "$platform" --append "$layer/layer.tar" --user node --tag "$member"
  members="$members --manifest $member"
done
# shellcheck disable=SC2086 # Options and their values.
crane index append $members --tag "$CI_REGISTRY_IMAGE:$IMAGE_TAG$suffix"
