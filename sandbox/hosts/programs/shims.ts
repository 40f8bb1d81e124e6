import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands of a real host that our machines answer themselves. */
export const shimNames = [
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
const askMachine = `#!/bin/sh
PATH=$MACHINE_REAL_PATH
q="$MACHINE_CALLS/$$"
mkfifo "$q" || exit 125
printf '%s\\0' "\${0##*/}" "$@" > "$q.words"
echo "$$" > "$MACHINE_CALLS/requests"
{
  read -r code streams
  case $streams in
    *line*) IFS= read -r line; printf '%s\\n' "$line" ;;
    *out*) cat ;;
  esac
} < "$q"
case $streams in *err*) cat "$q.err" >&2; rm -f "$q.err" ;; esac
exit "$code"
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

// Without it, timeout makes a process group of its own, which is not killed with the script.
const timeoutInGroup = `#!/bin/sh
IFS=:
for folder in $MACHINE_REAL_PATH; do
  [ -x "$folder/timeout" ] && exec "$folder/timeout" --foreground "$@"
done
exit 127
`;
