import type { ErrorCode } from '../../error-codes.ts';

export interface Guard {
  /** What holds when it lets a stage pass. */
  readonly holds: string;
  /** Codes of the errors by which it refuses. */
  readonly codes: readonly ErrorCode[];
}

/**
 * Everything that is proven before the world is touched. A guard that refuses ends the run with a
 * typed error, and so does one that cannot be asked; the effect behind it never begins.
 */
export const guards = {
  account: {
    holds: 'the AWS account and region are the configured ones',
    codes: ['WrongAccount', 'WrongRegion'],
  },
  lock: {
    holds: 'no other stage of the stack is at work',
    codes: ['LockHeld', 'LockInvalid', 'LockLost'],
  },
  hold: { holds: 'nobody holds the stack', codes: ['Held'] },
  owner: {
    holds: 'this pipeline may work on the deployment that the record names',
    codes: ['PipelineSuperseded', 'DeploymentBusy', 'NotPrepared'],
  },
  agreement: { holds: 'record, status and reality agree', codes: ['FactsContradict'] },
  order: {
    holds: 'the deployment has come to where this stage begins',
    codes: ['StageOutOfOrder'],
  },
  record: {
    holds: 'nobody else has written the record',
    codes: ['ForeignWrite', 'RecordInvalid', 'RecordFromNewerVersion'],
  },
  own_runner: {
    holds: 'the job does not run on the shard that it touches',
    codes: ['RunsOnTheShardItTouches'],
  },
  permissions: { holds: 'nothing that a later stage needs is missing', codes: ['PreflightFailed'] },
  shared_registration: {
    holds: 'the two shards have registrations of their own',
    codes: ['SharedRegistration'],
  },
  onboarding: {
    holds: "the candidate's registration and its token are ours",
    codes: ['TokenLost', 'DuplicateRegistrations', 'ForeignRegistration'],
  },
  inactive_shard: {
    holds: 'the inactive shard serves no customer job',
    codes: ['InactiveShardHealthy'],
  },
  repetition: {
    holds:
      'what was taken back is deployed again only by whoever knows it, or where no shard is proven to serve',
    codes: ['TakenBackBefore'],
  },
  plan: {
    holds: 'the plan touches nothing but this shard',
    codes: ['PlanRefused', 'PlanChanged'],
  },
  evidence: {
    holds: 'the candidate is proven healthy after its last apply',
    codes: ['HealthcheckTimedOut', 'CanaryFailed', 'HealthInconclusive', 'Retreated'],
  },
  status: { holds: 'nobody else has written deployment_status', codes: ['ForeignWrite'] },
  active_shard: {
    holds: 'the shard that stays serves',
    codes: ['NothingServes', 'ServiceUnproven', 'ServiceLost', 'OpenedAgainTwice'],
  },
  drained: {
    holds: 'the shard to be removed has no job',
    codes: ['StillDraining', 'DrainTimedOut'],
  },
  never_served: {
    holds: 'the candidate to be removed serves nobody',
    codes: ['CleanupRefused'],
  },
  rung: { holds: 'this way of recovery can help', codes: ['CannotRecover', 'NoRungLeft'] },
  way_back: {
    holds: 'the shard to go back to still runs, or can be started again',
    codes: ['NothingToRollBack'],
  },
  consent: { holds: 'a person has agreed', codes: ['NotConfirmed'] },
} as const satisfies Readonly<Record<string, Guard>>;

export type GuardName = keyof typeof guards;
