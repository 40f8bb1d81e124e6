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

// Two braces in a row would be taken by Systems Manager for a reference to a parameter.
const common = String.raw`
export LC_ALL=C
open='{''{'
close='}''}'
say() { printf '%s=%s\n' "$1" "$2"; }
lines() { sed "s/^/$1=/"; }
brief() { tr '\n\r' '  ' | cut -c1-300; }
bounded() { limit=$1; shift; timeout -k 2 "$limit" "$@"; }
`.trim();

/**
 * Defines `log_lines`: of the log that it reads the newest lines, whole ones, as many as there is room for
 * behind `$seen`. What a command prints is cut at 24,000 characters, and at its end. The first line may
 * have lost its beginning then, and is left out.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/run-command.html
 */
export const logLines = `
log_lines() {
  room=$((22000 - \${#seen}))
  tail -n 60 | cut -c1-2000 | lines log | tail -c "$room" | sed -e '1{' -e '/^log=/!d' -e '}'
}
`.trim();

/** Defines `status`: the container's state in one word; its code tells whether docker knew it. */
export const containerStatus = `
status() { bounded 10 docker inspect --type container --format "$open.State.Status$close" "$name" 2>&1; }
`.trim();

/** Defines `property NAME` of the unit. */
export const unitProperty = `
property() { bounded 10 systemctl show --property="$1" "$name" | sed -n "s/^$1=//p"; }
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
