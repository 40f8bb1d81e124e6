import type { ErrorCode } from '../../error-codes.ts';

export interface Guard {
  /** Condition that holds if the guard lets a stage pass. */
  readonly holds: string;
  /** Error codes with which the guard refuses. */
  readonly codes: readonly ErrorCode[];
}

/**
 * All proofs that are required before an effect. A guard that refuses or cannot read its source
 * ends the run with a typed error, before the effect starts.
 */
export const guards = {
  account: {
    holds: 'the AWS account and region match the configuration',
    codes: ['WrongAccount', 'WrongRegion'],
  },
  lock: {
    holds: 'no other stage of the stack is running',
    codes: ['LockHeld', 'LockInvalid', 'LockLost'],
  },
  hold: { holds: 'no hold is set on the stack', codes: ['Held'] },
  owner: {
    holds: 'this pipeline may change the deployment that the record names',
    codes: ['PipelineSuperseded', 'DeploymentBusy', 'NotPrepared'],
  },
  agreement: { holds: 'record, status and observed state agree', codes: ['FactsContradict'] },
  order: {
    holds: 'the deployment has reached the start of this stage',
    codes: ['StageOutOfOrder'],
  },
  record: {
    holds: 'no other writer has changed the record',
    codes: ['ForeignWrite', 'RecordInvalid', 'RecordFromNewerVersion'],
  },
  own_runner: {
    holds: 'the job does not run on the shard that it changes',
    codes: ['RunsOnTheShardItTouches'],
  },
  permissions: { holds: 'everything required by later stages exists', codes: ['PreflightFailed'] },
  shared_registration: {
    holds: 'each shard has its own runner',
    codes: ['SharedRegistration'],
  },
  onboarding: {
    holds: "hosted-runner created the candidate's runner and its token",
    codes: ['TokenLost', 'DuplicateRegistrations', 'ForeignRegistration'],
  },
  inactive_shard: {
    holds: 'the inactive shard takes no customer job',
    codes: ['InactiveShardHealthy'],
  },
  repetition: {
    holds:
      "a rolled back configuration is deployed again only at an operator's request, or if no shard is verified",
    codes: ['TakenBackBefore'],
  },
  plan: {
    holds: 'the plan changes only this shard',
    codes: ['PlanRefused', 'PlanChanged'],
  },
  evidence: {
    holds: 'the candidate was found healthy after its last apply',
    codes: ['HealthcheckTimedOut', 'CanaryFailed', 'HealthInconclusive', 'Retreated'],
  },
  status: { holds: 'no other writer has changed deployment_status', codes: ['ForeignWrite'] },
  active_shard: {
    holds: 'the remaining shard accepts jobs',
    codes: ['NothingServes', 'ServiceUnproven', 'ServiceLost', 'OpenedAgainTwice'],
  },
  drained: {
    holds: 'the shard to be removed has no job',
    codes: ['StillDraining', 'DrainTimedOut'],
  },
  never_served: {
    holds: 'the candidate to be removed accepts no jobs',
    codes: ['CleanupRefused'],
  },
  rung: { holds: 'this recovery method can help', codes: ['CannotRecover', 'NoRungLeft'] },
  way_back: {
    holds: 'the rollback target still runs, or can be started again',
    codes: ['NothingToRollBack'],
  },
  consent: { holds: 'an operator has confirmed the command', codes: ['NotConfirmed'] },
} as const satisfies Readonly<Record<string, Guard>>;

export type GuardName = keyof typeof guards;
