import { join } from 'node:path';
import type { ManagerConduct, ManagerSettings } from '../manager/orders.ts';
import type { Behaviour, BootBehaviour } from './behaviour.ts';

/** Time that a stopping machine waits for its manager, and the manager for its jobs. */
export const shutdownGraceMs = 2000;

/**
 * Returns the settings that a machine's start script would write into its runner's configuration.
 */
export function managerSettingsOf(
  { root, behaviour }: { readonly root: string; readonly behaviour: Behaviour },
  known: Pick<ManagerSettings, 'url' | 'token' | 'systemId' | 'searchPath' | 'github'>,
): ManagerSettings {
  return {
    ...known,
    version: behaviour.runnerVersion,
    logFormat: behaviour.logFormat,
    jobRouter: behaviour.jobRouter,
    idleWorkers: behaviour.idleWorkers,
    conduct: conducts[behaviour.boot],
    failsEvery: behaviour.failsEvery,
    concurrent: behaviour.concurrent,
    checkIntervalMs: behaviour.checkIntervalMs,
    traceIntervalMs: behaviour.traceIntervalMs,
    heartbeatMs: behaviour.heartbeatMs,
    unhealthyIntervalMs: behaviour.unhealthyIntervalMs,
    shutdownTimeoutMs: shutdownGraceMs,
    buildsFolder: join(root, 'builds'),
  };
}

const conducts: Readonly<Record<BootBehaviour, ManagerConduct>> = {
  ok: 'works',
  never_contacts: 'never_contacts',
  contacts_but_fails_jobs: 'fails_jobs',
  contacts_but_never_takes_jobs: 'never_takes_jobs',
  dies_after_ms: 'works',
  hangs: 'works',
};
