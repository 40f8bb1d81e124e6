import type { HostSettings } from '../../../domain/settings.ts';
import { script } from './script-parts.ts';

/**
 * Runs the least real work: a container that writes to a volume and reads it back. Both carry an
 * expiry, after which any check may remove them if this one dies. Without an id, the script reads
 * the variable `id`, which the check document sets.
 */
export function probeScript(
  { process }: HostSettings,
  { id, image }: { readonly id?: string; readonly image?: string | undefined },
): string {
  const values = { ...(id === undefined ? {} : { id }), ttl: String(ttlSeconds) };
  if (image !== undefined)
    return script({
      values,
      addresses: { wanted: image },
      body: [run, pulledImage, go].join('\n'),
    });
  return process.kind === 'docker'
    ? script({
        values: { ...values, name: process.container },
        body: [run, ownImage, go].join('\n'),
      })
    : script({ values, body: [run, anyImage, go].join('\n') });
}

const ttlSeconds = 600;

const run = String.raw`
newline='
'
probe=health-check-$id
is_there=
mark=hosted-runner.health-check
until=hosted-runner.expires
now=$(date +%s)
expired() {
  case $1 in health-check-*) ;; *) return 1 ;; esac
  case $2 in '' | *[!0-9]*) return 1 ;; esac
  [ "$2" -lt "$now" ]
}
# Containers first: docker keeps a volume that a container still uses. A few of them each time: on a
# host that hangs this must not take the time of the probe itself.
in_time() {
  left=$((left - 1))
  [ $left -ge 0 ] && [ $(($(date +%s) - now)) -lt 40 ]
}
collect() {
  left=20
  for leftover in $(exec timeout -k 2 10 docker ps --all --quiet --filter name=health-check-); do
    in_time || break
    found=$(bounded 10 docker inspect --type container --format "$open.Name$close $open index .Config.Labels \"$until\"$close" "$leftover")
    found=${'$'}{found#/}
    expired "${'$'}{found%% *}" "${'$'}{found##* }" && bounded 20 docker rm --force "$leftover"
  done
  left=20
  for leftover in $(exec timeout -k 2 10 docker volume ls --quiet --filter name=health-check-); do
    in_time || break
    expired "$leftover" "$(bounded 10 docker volume inspect --format "$open index .Labels \"$until\"$close" "$leftover")" &&
      bounded 20 docker volume rm "$leftover"
  done
}
step() {
  label=$1
  shift
  output=$(exec "$@" 2>&1)
  code=$?
  print "$label" "$code"
  [ $code -eq 0 ] || detail "$output"
  return $code
}
work() {
  expires=$((now + ttl))
  step volume timeout -k 2 20 docker volume create --label "$mark=1" --label "$until=$expires" "$probe" || return
  step container timeout -k 2 45 docker run --name "$probe" --label "$mark=1" --label "$until=$expires" \
    --pull never --network none --volume "$probe:/health-check" --entrypoint /bin/sh "$image" \
    -c 'echo "$0" >/health-check/mark && sync && test "$(cat /health-check/mark)" = "$0"' "$probe" || return
  is_there=yes
}
tidy() {
  [ -n "${'$'}{is_there:=$(exec timeout -k 2 10 docker ps --all --quiet --filter "name=$probe" 2>/dev/null)}" ] &&
    step container_removal timeout -k 2 20 docker rm --force "$probe"
  step volume_removal timeout -k 2 20 docker volume rm "$probe"
}
`.trim();

const ownImage = `
choose_image() { image=$(exec timeout -k 2 10 docker inspect --type container --format "$open.Image$close" "$name" 2>&1); }
`.trim();

// The runner itself starts the helper image for every job.
const anyImage = `
choose_image() {
  for reference in '*gitlab-runner-helper*' '*/*/*gitlab-runner-helper*' '*/*/*/*gitlab-runner-helper*' alpine busybox; do
    image=$(exec timeout -k 2 10 docker images --quiet --filter "reference=$reference" 2>/dev/null)
    image=\${image%%"$newline"*}
    [ -z "$image" ] || return 0
  done
  return 1
}
`.trim();

// The image is pulled from its registry like a job's image, unless the host has exactly this image.
const pulledImage = `
choose_image() { image=$wanted; step registry timeout -k 2 60 docker pull --quiet "$wanted" || { image=; return 1; }; }
`.trim();

const go = `
if command -v docker >/dev/null 2>&1; then
  collect >/dev/null 2>&1
  image=
  if choose_image; then
    print image 0
    work
    tidy
  else
    print image 1
    detail "$image"
  fi
else
  print docker 127
fi
`.trim();
