import type { Sandbox } from '../../sandbox/sandbox.ts';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import type { DeploymentId, RegistrationId, Shard } from '../../src/domain/shard.ts';
import { formatRecord } from '../../src/stages/record/record-format.ts';

export const deploymentId = '101-5001' as DeploymentId;

export interface PromotedStack {
  /** Prefix of the stack's parameters: `/gitlab/dedicated/runner/linux/`. */
  readonly prefix: string;
  readonly candidate: Shard;
  readonly retiring: Shard;
  readonly registrations: Readonly<Record<string, number>>;
  /** Time in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Creates the state at the start of a shutdown: the candidate is active, and both shards accept
 * jobs.
 */
export function putPromoted(
  { parameters }: Sandbox,
  { prefix, candidate, retiring, registrations, now }: PromotedStack,
): void {
  const at = new Date(now).toISOString();
  const shards = Object.entries(registrations).map(([shard, registration]) => [
    shard,
    {
      registration: String(registration) as RegistrationId,
      tokenWritten: true,
      unhealthyInARow: 0,
      productionTag: true,
    },
  ]);
  const record = formatRecord(
    {
      deployment: {
        id: deploymentId,
        kind: 'deploy',
        pipelineCreatedAt: at,
        by: 'deployer',
        candidate,
        retiring,
        phase: 'promoted',
        phaseAt: at,
        startedAt: at,
      },
      shards: Object.fromEntries(shards),
      history: [],
    },
    'before',
  );
  const values = {
    deployment_status: formatStatus([retiring, candidate], candidate),
    deployment_record: record,
  };
  for (const [name, value] of Object.entries(values))
    parameters.put({ name: `${prefix}${name}`, value, type: 'String', overwrite: true });
}

export function putToken({ parameters }: Sandbox, name: string, value: string): void {
  parameters.put({ name, value, type: 'SecureString', overwrite: true });
}
