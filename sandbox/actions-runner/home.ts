import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a host reads of its shard: what its runner is to be. */
export interface FleetText {
  readonly labels: readonly string[];
  readonly group?: string;
}

/** The runner's folder as `config.sh` leaves it: the file that holds the runner's name. */
export function layOutActionsRunner({ home, name }: { home: string; name: string }): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.runner'), `${JSON.stringify({ agentName: name }, null, 2)}\n`);
}

/** As the host's own script before each start: an ephemeral runner that GitHub has deleted is made anew. */
export function forgetIfDeleted(home: string): void {
  const folder = join(home, '_diag');
  const last = existsSync(folder) ? readdirSync(folder).sort().at(-1) : undefined;
  const record = last === undefined ? '' : readFileSync(join(folder, last), 'utf8');
  if (record.includes('registration has been deleted from the server'))
    rmSync(join(home, '.credentials'), { force: true });
}
