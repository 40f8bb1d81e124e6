# Sourced by the jobs of component-in-sandbox: the program on PATH, and a world to deploy in.
mkdir -p .sandbox/bin
printf '#!/bin/sh\nexec node "%s/dist/index.js" "$@"\n' "$CI_PROJECT_DIR" > .sandbox/bin/hosted-runner
chmod +x .sandbox/bin/hosted-runner
export PATH="$CI_PROJECT_DIR/.sandbox/bin:$PATH"

hosted-runner sandbox --folder .sandbox > .sandbox/exports &
sandbox=$!
trap 'kill "$sandbox"; wait "$sandbox"' EXIT
until grep -q '^# Serving' .sandbox/exports; do
  kill -0 "$sandbox"
  sleep 0.2
done
. .sandbox/exports
