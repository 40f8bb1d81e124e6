import type { Deployment, DeploymentRecord } from '../domain/deployment/record.ts';
import {
  isPausedByOperator,
  isPauseUnanswered,
  pausedSince,
  shardIntake,
} from '../domain/drain/shard-intake.ts';

/** The deployment as `status --json` and `doctor --json` have it: with the pause of the retiring shard. */
export type DeploymentReport = Deployment & {
  readonly closedAt?: string;
  readonly pausedByOther?: true;
  readonly pauseUnansweredAt?: string;
};

export function reportDeployment(record: DeploymentRecord | undefined): DeploymentReport | null {
  if (record === undefined) return null;
  const { deployment } = record;
  const { retiring } = deployment;
  if (retiring === undefined) return deployment;
  const closedAt = pausedSince(record);
  return {
    ...deployment,
    ...(closedAt === undefined ? {} : { closedAt }),
    ...(isPausedByOperator(record, retiring) ? { pausedByOther: true } : {}),
    ...(isPauseUnanswered(record, retiring)
      ? { pauseUnansweredAt: shardIntake(record, retiring).since }
      : {}),
  };
}
