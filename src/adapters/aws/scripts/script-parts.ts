import { reportProgram } from './report-script.ts';

/**
 * What every script for a host begins with. The scripts are constants of this program; a name is
 * put in front of them as a quoted assignment, after it was held against a pattern, and nowhere else.
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
  return [...assignments, common, body, 'say end 1'].join('\n');
}

export type ScriptValues = Readonly<Record<string, string>>;

// A first letter that is no dash: the value must not be read as an option.
const valuePattern = /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,254}$/;

// Of a registry, a socket or a server: still nothing that a shell would read in quotes.
const addressPattern = /^[A-Za-z0-9_/][A-Za-z0-9_.:~%/@-]{0,400}$/;

function checked(value: string, pattern: RegExp): string {
  if (pattern.test(value)) return value;
  throw new Error(`${JSON.stringify(value)} cannot be a name on a host.`);
}

// The shell's own means where they do: a look starts few programs then, on a host that may be busy.
// Two braces in a row would be taken by Systems Manager for a reference to a parameter.
const common = String.raw`
export LC_ALL=C
open='{''{'
close='}''}'
say() { printf '%s=%s\n' "$1" "$2"; }
lines() { sed "s/^/$1=/"; }
# detail TEXT: what a command said, on one line.
detail() {
  printf '%s\n' "$1" | awk '
    { gsub(/\r/, " "); text = text (NR > 1 ? " " : "") $0 }
    END { print "detail=" substr(text, 1, 300) }'
}
bounded() { limit=$1; shift; timeout -k 2 "$limit" "$@"; }
`.trim();

/** As many lines of the log are read: from 19.x on the runner writes ten for a job that goes well. */
const linesRead = 400;

/** With the time of each line, which the format `runner` lacks; `--all`, because a line with colours is no text to journald. */
export const readJournal = `mark log 0
  timeout -k 2 10 journalctl --unit="$name" --lines=${linesRead} --no-pager --quiet --all --output=short-iso 2>&1`;
export const readContainerLog = `mark log 0
  timeout -k 2 10 docker logs --timestamps --tail ${linesRead} "$name" 2>&1`;

/** Defines `mark KEY CODE`, which ends an answer for `reportProgram`. */
export const marks = String.raw`
mark=answer.$$
{ read -r random; } 2>/dev/null </proc/sys/kernel/random/uuid && mark=$random
mark() { printf '\n%s %s %s\n' "$mark" "$1" "$2"; }
`.trim();

/**
 * Prints what a function asks, by `reportProgram`, with at most 60 of the newest lines of its log, whole ones, as many as there
 * is room for, without colours and padding. Lines of jobs that go well are left out before the last 30: a cause must
 * not leave the log because of them. What a command prints is cut at 24,000 characters, and at its end.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/run-command.html
 */
export function reportCheck(look: string): string {
  return `${look} | awk -v mark="$mark" -v name="\${name:-}" -v room=22000 '\n${reportProgram}\n'`;
}

/** Defines `status`, which sets `found` to what docker reports, `state` to the container's, and `incarnation`. */
export const containerStatus = `
status() {
  state=
  incarnation=
  found=$(exec timeout -k 2 10 docker inspect --type container --format "$open.State.Status$close $open.Id$close $open.State.StartedAt$close" "$name" 2>&1) || return
  state=\${found%% *}
  case $found in *' '*) incarnation=\${found#* } ;; esac
}
`.trim();

/** Defines `property NAME`, which sets `value` to a property of the unit in `shown`, and to nothing where there is none. */
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
 * Defines `see`, which reads the unit into `shown`, and `identify`, which sets `incarnation` by it: the main process and
 * when it was started. A call of systemctl over D-Bus ends by itself after 25 seconds.
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
 * Defines `stay_down`: the unit is not started again, neither after its exit nor after a reboot. `shown` is what the
 * unit is then. A unit file of /etc cannot be masked, so that a drop-in does it. The folder in which a
 * termination is noted is made with that of the drop-in; each is proven by the file that is written there. MACHINE_ROOT is set where the machine
 * is only a folder of another one.
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

/** systemd adds `.service` by itself, but a drop-in's folder needs the whole name. */
export function unitName(unit: string): string {
  return unit.endsWith('.service') ? unit : `${unit}.service`;
}
