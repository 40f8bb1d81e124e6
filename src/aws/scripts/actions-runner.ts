import type { HostSettings } from '../../domain/settings.ts';
import { logLines, script, unitProperty } from './parts.ts';
import { quitUnit } from './quit-unit.ts';
import { unitName } from './unit.ts';

type ActionsRunner = Extract<HostSettings['process'], { kind: 'actions_runner' }>;

/**
 * GitHub's runner has no endpoint that tells its jobs. Each job is a process of its own,
 * `Runner.Worker`, which is there from the moment the listener has a job until its last word.
 * https://github.com/actions/runner/blob/main/src/Runner.Listener/JobDispatcher.cs
 */
export function lookAtActionsRunner({ unit }: ActionsRunner): string {
  return script({
    values: { name: unitName(unit) },
    body: [workers, 'say clock "$(date +%s)"', logLines, look].join('\n'),
  });
}

/**
 * Ends the listener, and never while it has a job: the restart goes off first, then the workers are
 * looked for once more, and one that is there refuses the stop. SIGTERM would end its job 30 s later.
 * https://github.com/actions/runner/issues/3308
 */
export function quitActionsRunner({ unit }: ActionsRunner): string {
  return script({
    values: { name: unitName(unit) },
    body: [unitProperty, workers, quit].join('\n'),
  });
}

// In brackets, so that the pattern does not find the command that looks for it.
const workers = String.raw`
workers() { bounded 10 pgrep -f '[R]unner\.Worker spawnclient'; }
`.trim();

const look = String.raw`
look() {
  shown=$(bounded 10 systemctl show --property=LoadState,ActiveState,SubState,Restart,WorkingDirectory "$name" 2>&1)
  say show_code $?
  printf '%s\n' "$shown" | head -n 8 | cut -c1-300 | lines unit
  found=$(workers)
  say workers_code $?
  printf '%s\n' "$found" | grep -E '^[0-9]+$' | head -n 60 | lines worker
  home=$(printf '%s\n' "$shown" | sed -n 's/^WorkingDirectory=//p')
  if [ -n "$home" ]; then
    sed -n 's/.*"agentName": *"\([^"]*\)".*/agent=\1/p' "$home/.runner" 2>/dev/null | head -n 1 | cut -c1-200
    bounded 10 "$home/bin/Runner.Listener" --version 2>/dev/null | head -n 1 | cut -c1-60 | lines version
  fi
}
seen=$(look)
printf '%s\n' "$seen"
bounded 10 journalctl --unit="$name" --lines=60 --no-pager --output=cat 2>&1 | log_lines
`.trim();

const quit = quitUnit({
  signal: 'SIGINT',
  before: `
  found=$(workers)
  case $? in
    0) say detail "process $(printf '%s' "$found" | brief)"; say result runs_a_job; return ;;
    1) ;;
    *) say result workers_unknown; return ;;
  esac
`.trim(),
});
