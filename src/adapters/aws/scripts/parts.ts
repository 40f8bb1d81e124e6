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
cr=$(printf '\r')
# first COUNT LENGTH KEY: so many lines of what it reads, each so long, with the key in front.
first() {
  left=$1
  while [ "$left" -gt 0 ] && { IFS= read -r line || [ -n "$line" ]; }; do
    while :; do case $line in *"$cr"*) line=${'$'}{line%%"$cr"*}${'$'}{line#*"$cr"} ;; *) break ;; esac; done
    printf "%s=%.$2s\n" "$3" "$line"
    left=$((left - 1))
  done
}
brief() {
  text=
  while [ ${'$'}{#text} -lt 300 ] && IFS= read -r line; do text="$text$line "; line=; done
  text=$text$line
  while :; do case $text in *"$cr"*) text="${'$'}{text%%"$cr"*} ${'$'}{text#*"$cr"}" ;; *) break ;; esac; done
  printf '%.300s\n' "$text"
}
bounded() { limit=$1; shift; timeout -k 2 "$limit" "$@"; }
`.trim();

/** As many lines of the log are read: from 19.x on the runner writes ten for a job that goes well. */
const linesRead = 400;

/** With the time of each line, which the format `runner` lacks; `--all`, because a line with colours is no text to journald. */
export const readJournal = `bounded 10 journalctl --unit="$name" --lines=${linesRead} --no-pager --quiet --all --output=short-iso 2>&1`;
export const readContainerLog = `bounded 10 docker logs --timestamps --tail ${linesRead} "$name" 2>&1`;

/**
 * Defines `log_lines`: of the log that it reads at most 60 of the newest lines, whole ones, as many as there is room
 * for behind `$seen`, without colours and padding. Lines of jobs that go well are left out before the last 30: a
 * cause must not leave the log because of them. What a command prints is cut at 24,000 characters, and at its end.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/run-command.html
 */
export const logLines = String.raw`
log_lines() {
  awk -v room=$((22000 - ${'$'}{#seen})) '
    {
      gsub(/\033\[[0-9;]*m/, "")
      gsub(/   */, " ")
      text[NR] = "log=" substr($0, 1, 2000)
    }
    END {
      for (at = NR; at > 0 && shown < 60; at--) {
        if (NR - at >= 30 && text[at] ~ /Updating job\.\.\.|(Submitting job|Appending trace) to coordinator\.\.\.(ok|accepted)|(Added|Removed) job (to|from) processing list/) continue
        room -= length(text[at]) + 1
        if (room < 0) break
        line[++shown] = text[at]
      }
      for (; shown > 0; shown--) print line[shown]
    }'
}
`.trim();

/** Defines `status`: the container's state in one word; its code tells whether docker knew it. */
export const containerStatus = `
status() { bounded 10 docker inspect --type container --format "$open.State.Status$close" "$name" 2>&1; }
`.trim();

/** Defines `property NAME` of the unit. */
export const unitProperty = `
property() {
  bounded 10 systemctl show --property="$1" "$name" | while IFS= read -r line; do
    case $line in "$1="*) printf '%s\\n' "\${line#*=}" ;; esac
  done
}
`.trim();

/**
 * Defines `stay_down`: the unit is not started again, neither after its exit nor after a reboot.
 * A unit file of /etc cannot be masked, so that a drop-in does it. MACHINE_ROOT is set where the
 * machine is only a folder of another one.
 */
export const stayDown = String.raw`
stay_down() {
  folder=$MACHINE_ROOT/run/systemd/system/$name.d
  mkdir -p "$folder" &&
    printf '[Service]\nRestart=no\n' >"$folder/hosted-runner.conf" &&
    bounded 20 systemctl daemon-reload || return 1
  bounded 20 systemctl disable "$name" >/dev/null 2>&1
  [ "$(property Restart)" = no ]
}
`.trim();

/** systemd adds `.service` by itself, but a drop-in's folder needs the whole name. */
export function unitName(unit: string): string {
  return unit.endsWith('.service') ? unit : `${unit}.service`;
}
