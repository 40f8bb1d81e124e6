import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands of a real host that our machines answer themselves. */
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
 * Puts the shims into a folder that stands first on the search path of a machine's scripts.
 * They talk to the machine by named pipes: a start of node for each call would take 60 ms.
 */
export function writeShims(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of shimNames) writeShim(join(folder, name), askMachine);
  writeShim(join(folder, 'cat'), catInMachine);
  writeShim(join(folder, 'timeout'), timeoutInGroup);
}

function writeShim(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o700);
}

// Each process that it starts costs more than the call itself, and a look at a host makes ten calls.
// Whoever makes the file of words has the pipe; it may be gone already where another was faster.
const ask = `
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

const askMachine = `#!/bin/sh
PATH=$MACHINE_REAL_PATH
${ask}
ask_machine 0 "\${0##*/}" "$@"
`;

// The runner's folder of the machine is a folder of its own, not this computer's.
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

// The machine's own commands are ended by the machine. Any other is ended by the real timeout, which
// without --foreground makes a process group of its own, that is not killed with the script.
const timeoutInGroup = `#!/bin/sh
machine_path=$PATH
PATH=$MACHINE_REAL_PATH
${ask}
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
