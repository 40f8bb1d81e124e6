# Sourced by the jobs of component-in-sandbox: the program on PATH, and a world to deploy in.
mkdir -p .sandbox/bin
printf '#!/bin/sh\nexec node "%s/dist/index.js" "$@"\n' "$PWD" > .sandbox/bin/hosted-runner
chmod +x .sandbox/bin/hosted-runner
export PATH="$PWD/.sandbox/bin:$PATH"

: > .sandbox/exports
hosted-runner sandbox --folder .sandbox > .sandbox/exports &
sandbox=$!
# It writes its world down when it is told to stop.
trap 'kill "$sandbox"; wait "$sandbox" || true' EXIT
until grep -q '^# Serving' .sandbox/exports; do
  kill -0 "$sandbox"
  sleep 0.2
done
. .sandbox/exports
