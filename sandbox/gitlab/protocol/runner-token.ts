import type { Context } from 'hono';
import { type Parameters, readParameters } from '../answers/parameters.ts';
import { badParameter, forbidden, Refusal } from '../answers/refusal.ts';
import type { Instance } from '../instance.ts';
import { isOrphan } from '../registration.ts';
import { digestOf } from '../secrets.ts';
import type { Manager, Runner } from '../state.ts';

/** System id for runners before 15.8, which send none: all hosts share one record. */
const LEGACY_SYSTEM_ID = '<legacy>';

export interface RunnerCall {
  runner: Runner;
  secret: string;
  systemId: string;
  parameters: Parameters;
}

/**
 * Authenticates a runner by its token, before any other check. 403 if the token is unknown or
 * expired.
 */
export async function authenticateRunner(c: Context, instance: Instance): Promise<RunnerCall> {
  const parameters = await readParameters(c);
  const secret = parameters.text('token');
  if (secret === undefined) throw badParameter('token is missing');
  const runner = findRunner(instance, secret);
  if (runner === undefined) throw forbidden();
  const systemId = parameters.text('system_id') || LEGACY_SYSTEM_ID;
  return { runner, secret, parameters, systemId };
}

export function findRunner(instance: Instance, secret: string): Runner | undefined {
  const runner = instance.state.runners.find((row) => row.tokenDigest === digestOf(secret));
  // An expired token counts as unknown, because GitLab only searches valid tokens.
  const endsAt = runner?.tokenExpiresAt ?? Number.POSITIVE_INFINITY;
  return endsAt > instance.now() ? runner : undefined;
}

export function refuseOrphan({ features }: Instance, runner: Runner): void {
  if (!features.orphansRefused || !isOrphan(runner)) return;
  if (!features.orphansUnprocessable) throw forbidden('Runner is orphaned');
  throw new Refusal(422, { message: 'Runner is orphaned' });
}

/** Creates the manager's record at its first request, and updates it at each further one. */
export function heartbeat(
  instance: Instance,
  runner: Runner,
  {
    systemId,
    info,
    isContact = true,
  }: { systemId: string; info: Record<string, unknown>; isContact?: boolean },
): Manager {
  const manager = findManager(instance, runner, systemId) ?? addManager(instance, runner, systemId);
  for (const name of ['version', 'revision', 'platform', 'architecture'] as const) {
    if (typeof info[name] === 'string') manager[name] = info[name];
  }
  if (typeof info['features'] === 'object' && info['features'] !== null) {
    manager.features = Object.fromEntries(
      Object.entries(info['features']).map(([name, value]) => [name, value === true]),
    );
  }
  if (isContact) {
    manager.contactedAt = instance.now();
    runner.contactedAt = instance.now();
  }
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
    version: null,
    revision: null,
    platform: null,
    architecture: null,
    ipAddress: '127.0.0.1',
    features: {},
    createdAt: instance.now(),
    contactedAt: null,
  };
  instance.state.managers.push(manager);
  return manager;
}
