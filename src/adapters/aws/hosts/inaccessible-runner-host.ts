import { PortFailure } from '../../../ports/failure.ts';
import type { RunnerHost } from '../../../ports/runner-host.ts';

const reason = 'host.access is "none", so no host is queried';

/** Creates the port for hosts without access. It never reports idle, healthy or gone. */
export function createUnreadableHost(): RunnerHost {
  return {
    list: () => refuse('list'),
    look: () => Promise.resolve({ kind: 'silent', reason }),
    quit: () => Promise.resolve({ kind: 'refused', reason }),
    start: () => Promise.resolve({ kind: 'refused', reason }),
    kill: () => refuse('kill'),
    probeWorkload: () => refuse('probe'),
    reach: () => refuse('reach'),
    verifyToken: () => Promise.resolve({ kind: 'unknown', detail: reason }),
  };
}

function refuse(what: string): Promise<never> {
  const source = `runner host ${what}`;
  return Promise.reject(
    new PortFailure({ kind: 'refused', effect: 'none', source, detail: reason }),
  );
}
