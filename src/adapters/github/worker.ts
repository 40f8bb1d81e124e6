import type { Worker } from '../../ports/registry.ts';
import { hostOf } from './runner-name.ts';
import type { GitHubRunner } from './runners.ts';

/** A runner as a worker of its shard. */
export function toWorker(runner: GitHubRunner, nowMs: number): Worker {
  const { id, name, version, status, busy, ephemeral } = runner;
  const now = new Date(nowMs).toISOString();
  const hostId = hostOf(name);
  return {
    id,
    systemId: name,
    version: version ?? '',
    createdAt: now,
    execution: busy ? 'active' : 'idle',
    ...(typeof ephemeral !== 'boolean' ? {} : { ephemeral }),
    ...(hostId === undefined ? {} : { hostId }),
    // GitHub does not say when: only that its connection is open now.
    ...(status === 'online' ? { contactedAt: now } : {}),
  };
}
