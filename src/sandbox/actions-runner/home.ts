import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a host reads of its shard: what its runner is to be. */
export interface FleetText {
  readonly labels: readonly string[];
  readonly group?: string;
}

/** The runner's folder as far as anybody looks into it: who it is, and which version. */
export function layOutActionsRunner({
  home,
  name,
  version,
}: {
  home: string;
  name: string;
  version: string;
}): void {
  mkdirSync(join(home, 'bin'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.runner'), `${JSON.stringify({ agentName: name }, null, 2)}\n`);
  const listener = join(home, 'bin', 'Runner.Listener');
  writeFileSync(listener, `#!/bin/sh\necho ${version}\n`);
  chmodSync(listener, 0o700);
}
