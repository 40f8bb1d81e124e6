import { reportProgram } from './report-script.ts';

/**
 * Builds a script for a host. Scripts are constants of this program. A name becomes part of a
 * script only as a quoted assignment at the start, after a check against a pattern.
 */
export function script({
  values,
  addresses = {},
  body,
}: {
  values: ScriptValues;
  addresses?: ScriptValues;
  body: string;
}): string {
  const assignments = [
    ...Object.entries(values).map(([key, value]) => `${key}='${checked(value, valuePattern)}'`),
    ...Object.entries(addresses).map(
      ([key, value]) => `${key}='${checked(value, addressPattern)}'`,
    ),
  ];
  return [...assignments, common, body, 'print end 1'].join('\n');
}

export type ScriptValues = Readonly<Record<string, string>>;

// The first character is no dash: a tool would take the value for an option.
const valuePattern = /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,254}$/;

// An address of a registry, a socket or a server. The pattern excludes all shell syntax within
// quotes.
const addressPattern = /^[A-Za-z0-9_/][A-Za-z0-9_.:~%/@-]{0,400}$/;

function checked(value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value;
  throw new Error(`${JSON.stringify(value)} cannot be a name on a host.`);
}

// The shell's own means are used if possible: a check then starts few programs on a busy host.
// Systems Manager would take two adjacent braces for a reference to a parameter.
const common = String.raw`
export LC_ALL=C
open='{''{'
close='}''}'
print() { printf '%s=%s\n' "$1" "$2"; }
lines() { sed "s/^/$1=/"; }
# detail TEXT: the output of a command, on one line.
detail() {
  printf '%s\n' "$1" | awk '
    { gsub(/\r/, " "); text = text (NR > 1 ? " " : "") $0 }
    END { print "detail=" substr(text, 1, 300) }'
}
bounded() { limit=$1; shift; timeout -k 2 "$limit" "$@"; }
`.trim();

/** Number of log lines to read. From 19.x on, the runner writes ten lines for a successful job. */
const linesRead = 400;

/**
 * Reads the journal with a time per line, which the format `runner` lacks. `--all` includes lines
 * with colours, which journald does not treat as text.
 */
export const readJournal = `mark log 0
  timeout -k 2 10 journalctl --unit="$name" --lines=${linesRead} --no-pager --quiet --all --output=short-iso 2>&1`;
export const readContainerLog = `mark log 0
  timeout -k 2 10 docker logs --timestamps --tail ${linesRead} "$name" 2>&1`;

/** Defines `mark KEY CODE`, which ends a response for `reportProgram`. */
export const marks = String.raw`
mark=answer.$$
{ read -r random; } 2>/dev/null </proc/sys/kernel/random/uuid && mark=$random
mark() { printf '\n%s %s %s\n' "$mark" "$1" "$2"; }
`.trim();

/**
 * Prints the responses of a check through `reportProgram`, with at most the 60 newest complete log
 * lines that fit. Colours and padding are removed. Before the last 30 lines, those of successful
 * jobs are omitted, to keep the cause of a failure. Systems Manager cuts the output at its end,
 * after 24,000 characters.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/run-command.html
 */
export function reportCheck(command: string): string {
  return `${command} | awk -v mark="$mark" -v name="\${name:-}" -v bytes_left=22000 '\n${reportProgram}\n'`;
}

/**
 * Defines `status`, which sets `found` to docker's output, `state` to the container's state, and
 * `incarnation`.
 */
export const containerStatus = `
status() {
  state=
  incarnation=
  found=$(exec timeout -k 2 10 docker inspect --type container --format "$open.State.Status$close $open.Id$close $open.State.StartedAt$close" "$name" 2>&1) || return
  state=\${found%% *}
  case $found in *' '*) incarnation=\${found#* } ;; esac
}
`.trim();

/**
 * Defines `property NAME`, which sets `value` to a property of the unit in `shown`. A missing
 * property is empty.
 */
export const shownProperty = `
newline='
'
property() {
  value=
  case $newline$shown in *"$newline$1="*) ;; *) return ;; esac
  value=$newline$shown
  value=\${value#*"$newline$1="}
  value=\${value%%"$newline"*}
}
`.trim();

/**
 * Defines `see`, which reads the unit into `shown`, and `identify`, which sets `incarnation` to the
 * main process and its start time. A call of systemctl over D-Bus times out after 25 seconds.
 */
export const unitProperties = `
${shownProperty}
see() { shown=$(exec systemctl show --property=LoadState,ActiveState,MainPID,ExecMainStartTimestampMonotonic,Restart,WorkingDirectory "$name" 2>/dev/null); }
is_at_rest() {
  property MainPID
  [ "$value" = 0 ]
}
identify() {
  incarnation=
  is_at_rest && return
  incarnation=$value
  property ExecMainStartTimestampMonotonic
  incarnation="$incarnation $value"
}
`.trim();

/**
 * Defines `stay_down`: the unit does not start again, neither after its exit nor after a reboot.
 * `shown` then holds the unit's state. A drop-in disables the restart, because a unit file in /etc
 * cannot be masked. The folder for termination notes is created with the drop-in's folder. Writing
 * a file into each folder proves that it exists. MACHINE_ROOT is set if the machine is only a
 * folder of another machine.
 */
export const stayDown = String.raw`
stay_down() {
  folder=$MACHINE_ROOT/run/systemd/system/$name.d
  [ -d "$folder" ] || mkdir -p "$folder" "$MACHINE_ROOT/run/hosted-runner"
  printf '[Service]\nRestart=no\n' >"$folder/hosted-runner.conf" || return 1
  timeout -k 2 40 sh -c 'systemctl daemon-reload || exit 3; exec systemctl disable "$0"' "$name" >/dev/null 2>&1
  case $? in 3 | 124 | 137) return 1 ;; esac
  see
  property Restart
  [ "$value" = no ]
}
`.trim();

/**
 * Returns the unit's name with `.service`: systemctl adds it itself, but the name of a drop-in
 * folder needs it.
 */
export function unitName(unit: string): string {
  return unit.endsWith('.service') ? unit : `${unit}.service`;
}
