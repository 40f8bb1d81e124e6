import type { Context } from 'hono';
import type { Instance } from '../instance.ts';
import { type Parameters, readParameters } from '../parameters.ts';
import { badParameter, forbidden } from '../refusal.ts';
import { digestOf } from '../secrets.ts';
import type { Manager, Runner } from '../state.ts';

/** A runner 14 names no system: all its hosts share this row. */
export const LEGACY_SYSTEM_ID = '<legacy>';

export interface RunnerCall {
  runner: Runner;
  secret: string;
  systemId: string | undefined;
  parameters: Parameters;
}

/** Who holds the token, whatever else is wrong with the call; 403 when nobody does (any more). */
export async function authenticateRunner(c: Context, instance: Instance): Promise<RunnerCall> {
  const parameters = await readParameters(c);
  const secret = parameters.text('token') ?? c.req.header('runner-token');
  if (secret === undefined) throw badParameter('token is missing');
  const runner = instance.state.runners.find((row) => row.tokenDigest === digestOf(secret));
  if (runner === undefined) throw forbidden();
  const systemId = parameters.text('system_id');
  return { runner, secret, parameters, systemId: systemId === '' ? undefined : systemId };
}

/** The manager's row is made by its first word, and every word refreshes it. */
export function heartbeat(
  instance: Instance,
  runner: Runner,
  { systemId, info }: { systemId: string; info: Record<string, unknown> },
): Manager {
  const now = instance.now();
  const manager = findManager(instance, runner, systemId) ?? addManager(instance, runner, systemId);
  for (const name of ['version', 'revision', 'platform', 'architecture'] as const) {
    if (typeof info[name] === 'string') manager[name] = info[name];
  }
  if (typeof info['features'] === 'object' && info['features'] !== null) {
    manager.features = Object.fromEntries(
      Object.entries(info['features']).map(([name, value]) => [name, value === true]),
    );
  }
  manager.contactedAt = now;
  runner.contactedAt = now;
  instance.changed();
  return manager;
}

export function findManager(
  instance: Instance,
  runner: Runner,
  systemId: string,
): Manager | undefined {
  return instance.state.managers.find(
    (row) => row.runnerId === runner.id && row.systemId === systemId,
  );
}

function addManager(instance: Instance, runner: Runner, systemId: string): Manager {
  const manager: Manager = {
    id: instance.nextId('manager'),
    runnerId: runner.id,
    systemId,
    version: '',
    revision: '',
    platform: '',
    architecture: '',
    ipAddress: '127.0.0.1',
    features: {},
    createdAt: instance.now(),
    contactedAt: null,
  };
  instance.state.managers.push(manager);
  return manager;
}
