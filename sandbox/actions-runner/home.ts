import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Fleet of a shard, as its hosts read it. */
export interface FleetText {
  readonly labels: readonly string[];
  readonly group?: string;
}

/** Creates the runner's folder as `config.sh` leaves it: the file with the runner's name. */
export function layOutActionsRunner({ home, name }: { home: string; name: string }): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.runner'), `${JSON.stringify({ agentName: name }, null, 2)}\n`);
}

/**
 * Removes the registration of an ephemeral runner that GitHub has deleted, like the host's script
 * before each start. The runner then registers again.
 */
export function forgetIfDeleted(home: string): void {
  const folder = join(home, '_diag');
  const last = existsSync(folder) ? readdirSync(folder).sort().at(-1) : undefined;
  const record = last === undefined ? '' : readFileSync(join(folder, last), 'utf8');
  if (record.includes('registration has been deleted from the server'))
    rmSync(join(home, '.credentials'), { force: true });
}
