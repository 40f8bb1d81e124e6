import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands of a real host that the sandbox's machines simulate. */
const shimNames = [
  'docker',
  'systemctl',
  'journalctl',
  'curl',
  'gitlab-runner',
  'pgrep',
  'pkill',
  'killall',
  'shutdown',
  'reboot',
  'poweroff',
] as const;

/**
 * Writes the shims into a folder that is first in the PATH of a machine's scripts. They use named
 * pipes, because a start of node would take 60 ms per call.
 */
export function writeShims(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of shimNames) writeShim(join(folder, name), machineShim);
  writeShim(join(folder, 'cat'), catInMachine);
  writeShim(join(folder, 'timeout'), timeoutInGroup);
}

function writeShim(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o700);
}

// Each started process costs more than the call itself, and a check of a host makes ten calls. A
// caller reserves a pipe by creating its file of words. The pipe may be gone if another caller was
// faster.
const callFunction = `
ask_machine() {
  limit=$1; shift
  set -C
  for pipe in "$MACHINE_CALLS"/ready.*; do
    call=\${pipe##*/}
    { printf '%s\\0' "$@" > "$MACHINE_CALLS/words.$call"; } 2>/dev/null && [ -p "$pipe" ] && break
    call=
  done
  set +C
  if [ -z "$call" ]; then
    call=own.$$
    pipe=$MACHINE_CALLS/$call
    mkfifo "$pipe" || exit 125
    printf '%s\\0' "$@" > "$MACHINE_CALLS/words.$call"
  fi
  echo "$call $limit" > "$MACHINE_CALLS/requests"
  exec 4< "$pipe"
  IFS= read -r answer <&4
  code=\${answer%% *}
  streams=\${answer#"$code"}
  case "$code$streams" in
    '0 out') exec cat <&4 ;;
    *lines*) while IFS= read -r line; do printf '%s\\n' "$line"; done <&4 ;;
    *out*) cat <&4 ;;
  esac
  case $streams in
    *err*) cat "$MACHINE_CALLS/err.$call" >&2; rm -f "$MACHINE_CALLS/err.$call" ;;
  esac
  exit "$code"
}
`.trim();

const machineShim = `#!/bin/sh
PATH=$MACHINE_REAL_PATH
${callFunction}
ask_machine 0 "\${0##*/}" "$@"
`;

// The path refers to the machine's copy of the runner's folder, not to this computer's.
const catInMachine = `#!/bin/sh
PATH=$MACHINE_REAL_PATH
count=$#
while [ "$count" -gt 0 ]; do
  word=$1; shift
  case $word in /etc/gitlab-runner/*) word=$MACHINE_ROOT$word ;; esac
  set -- "$@" "$word"
  count=$((count - 1))
done
exec cat "$@"
`;

// The machine itself limits its own commands. The real timeout limits all others. Without
// --foreground it would create a process group, which would survive the script.
const timeoutInGroup = `#!/bin/sh
machine_path=$PATH
PATH=$MACHINE_REAL_PATH
${callFunction}
if [ "$1" = -k ]; then
  case $4 in
    ${shimNames.join(' | ')}) limit=$3; shift 3; ask_machine "$limit" "$@" ;;
  esac
fi
PATH=$machine_path
IFS=:
for folder in $MACHINE_REAL_PATH; do
  [ -x "$folder/timeout" ] && exec "$folder/timeout" --foreground "$@"
done
exit 127
`;
