import { ActionsRunner } from '../actions-runner/runner.ts';
import { startEndpoints } from './endpoints.ts';
import { Manager } from './manager.ts';
import type { ManagerOrder, ManagerReport, ManagerSettings } from './orders.ts';

/** Members of `process` that a runner manager uses. */
export interface ManagerProcess {
  readonly connected: boolean;
  readonly stdout: { write(text: string): boolean };
  send?(report: ManagerReport): unknown;
  exit(code: number): unknown;
  on(event: 'message', listener: (order: ManagerOrder) => void): unknown;
  on(
    event: 'disconnect' | 'SIGQUIT' | 'SIGTERM' | 'SIGINT' | 'SIGHUP',
    listener: () => void,
  ): unknown;
}

/**
 * Runs a runner manager as a child process of its host. The process exits here, because its channel
 * and its open work would keep it alive. It ends with its jobs when the host is gone, for any
 * reason.
 */
export async function runManager(own: ManagerProcess, now: () => number): Promise<number> {
  const code = await live(own, now);
  own.exit(code);
  return code;
}

function live(own: ManagerProcess, now: () => number): Promise<number> {
  return new Promise((resolve, reject) => {
    let manager: Manager | ActionsRunner | undefined;
    const abandon = () => {
      manager?.killJobs();
      resolve(1);
    };
    own.on('disconnect', abandon);
    if (!own.connected) abandon();
    own.on('SIGQUIT', () => (manager === undefined ? resolve(0) : manager.quit()));
    own.on('SIGTERM', () => (manager === undefined ? resolve(1) : manager.terminate()));
    own.on('SIGINT', () => (manager === undefined ? resolve(1) : manager.terminate()));
    own.on('SIGHUP', () => {
      if (manager instanceof Manager) manager.reload();
    });
    own.on('message', (order) => {
      if (order.kind === 'freeze') manager?.freeze();
      if (order.kind !== 'start' || manager !== undefined) return;
      if (order.settings.github === undefined) {
        const created = createManager(own, order.settings, now);
        manager = created;
        runWithEndpoints(own, created).then(resolve, reject);
        return;
      }
      manager = new ActionsRunner(surroundingsOf(own, order.settings, now));
      manager.run().then(resolve, reject);
    });
  });
}

function createManager(own: ManagerProcess, settings: ManagerSettings, now: () => number): Manager {
  return new Manager({ ...surroundingsOf(own, settings, now), now });
}

function surroundingsOf(own: ManagerProcess, settings: ManagerSettings, now: () => number) {
  let contacted = false;
  return {
    settings,
    now,
    log: (line: string) => own.stdout.write(`${new Date(now()).toISOString()} ${line}\n`),
    onContact: () => {
      if (!contacted) own.send?.({ kind: 'contacted' });
      contacted = true;
    },
    onWorkers: (pids: readonly number[]) => own.send?.({ kind: 'workers', pids }),
  };
}

async function runWithEndpoints(own: ManagerProcess, manager: Manager): Promise<number> {
  const { server, port } = await startEndpoints(manager);
  own.send?.({ kind: 'listening', port });
  const code = await manager.run();
  server.close();
  server.closeAllConnections();
  return code;
}
