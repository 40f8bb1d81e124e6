import type {
  Deployment,
  DeploymentRecord,
  FinishedDeployment,
} from '../domain/deployment/record.ts';
import { isBefore } from '../domain/deployment/stages-and-steps.ts';
import {
  isPausedByOperator,
  isPauseUnanswered,
  pausedSince,
  shardIntake,
} from '../domain/drain/shard-intake.ts';
import type { ShardReport } from './shard-report.ts';

/**
 * Deployment in `status --json` and `doctor --json`, with the pause of the retiring shard. These
 * keys are part of the interface and stay even if the record renames its fields.
 */
export type DeploymentReport = Omit<Deployment, 'autoRollback'> & {
  readonly takesBack?: Deployment['autoRollback'];
  readonly closedAt?: string;
  readonly closedByOther?: true;
  readonly pauseUnansweredAt?: string;
};

export function reportDeployment(record: DeploymentRecord | undefined): DeploymentReport | null {
  if (record === undefined) return null;
  const { autoRollback, ...deployment } = record.deployment;
  const { retiring } = deployment;
  const reported = {
    ...deployment,
    ...(autoRollback === undefined ? {} : { takesBack: autoRollback }),
  };
  if (retiring === undefined) return reported;
  const closedAt = pausedSince(record);
  return {
    ...reported,
    ...(closedAt === undefined ? {} : { closedAt }),
    ...(isPausedByOperator(record, retiring) ? { closedByOther: true } : {}),
    ...(isPauseUnanswered(record, retiring)
      ? { pauseUnansweredAt: shardIntake(record, retiring).since }
      : {}),
  };
}

/** Finished deployment in `status --json`. */
export type FinishedReport = Omit<FinishedDeployment, 'isRolledBack'> & {
  readonly takenBack?: true;
};

export function isReportedRolledBack({ takenBack }: FinishedReport): boolean {
  return takenBack === true;
}

/** Finds the candidate if its last healthcheck failed and it is not promoted. */
export function findFailedCandidate({
  deployment,
  shards,
}: {
  readonly deployment: DeploymentReport | null;
  readonly shards: readonly ShardReport[];
}): ShardReport | undefined {
  if (deployment === null || !isBefore(deployment.phase, 'promoting')) return undefined;
  return shards.find(
    ({ shard, unhealthy_in_a_row: times }) => shard === deployment.candidate && times > 0,
  );
}

export function reportHistory(record: DeploymentRecord | undefined): readonly FinishedReport[] {
  return (record?.history ?? []).map(({ isRolledBack, ...finished }) => ({
    ...finished,
    ...(isRolledBack === undefined ? {} : { takenBack: isRolledBack }),
  }));
}
