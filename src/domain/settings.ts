import type { CallLimit } from './call-usage.ts';
import type { EvidenceKind } from './health/evidence.ts';
import type { SettingsOf } from './keys/key.ts';
import type { stackKeys } from './keys/key-table.ts';
import type { RunnerName, ShardPair } from './shard.ts';

/** What the keys give, one setting each. Below is what only several keys give together. */
type Keys = SettingsOf<typeof stackKeys>;

/** Sections whose keys are read together: which of them counts depends on another one. */
type Combined = 'github' | 'registration' | 'canary' | 'infrastructure' | 'host';

/** Everything that one stack is configured to; durations in milliseconds. Built by `config/`. */
export interface StackSettings extends Omit<Keys, 'runners' | 'callBudgets' | Combined> {
  readonly runnerName: RunnerName;
  /** Of GitLab, or of GitHub where `github` is given. Without a slash at its end. */
  readonly gitlabUrl: string;
  /** What the calls to GitLab may not exceed, besides the limits of GitLab itself. */
  readonly callLimits: readonly CallLimit[];
  /**
   * Of the CIs whose pipelines can have deployed this stack: their tokens are sent there. `gitlab` is
   * absent if the file of a stack of GitHub's runners names none.
   */
  readonly ciServers: { readonly gitlab?: string; readonly github: string };
  /** Given where the runners are GitHub's. */
  readonly github?: GitHubSettings;
  readonly shards: ShardPair;
  /** Of this stack alone; ends in a slash: `/gitlab/dedicated/runner/linux/`. */
  readonly parameterPrefix: string;
  readonly aws: AwsSettings;
  readonly registration: RegistrationSettings;
  readonly canary: CanarySettings;
  readonly infrastructure: InfrastructureSettings;
  readonly host: HostSettings;
  readonly healthcheck: HealthcheckSettings;
  readonly drain: DrainSettings;
  readonly bake: BakeSettings;
}

/** Whose AWS it is, and what becomes of resources that no infrastructure's state knows. */
export interface AwsSettings extends Readonly<Keys['aws']> {
  /** Keys of the tags whose values are the runner_name and the shard. */
  readonly stackTag: string;
  readonly shardTag: string;
}

/** What GitLab keeps of a shard's runner record. */
export interface RegistrationSettings
  extends Omit<Keys['registration'], 'scope' | 'groupId' | 'projectId'> {
  readonly scope:
    | { readonly kind: 'instance' }
    | { readonly kind: 'group'; readonly groupId: number }
    | { readonly kind: 'project'; readonly projectId: number };
}

/** Where GitHub keeps a stack's runners. */
export type GitHubScope =
  | { readonly kind: 'repository'; readonly owner: string; readonly repository: string }
  | { readonly kind: 'organization'; readonly organization: string }
  | { readonly kind: 'enterprise'; readonly enterprise: string };

/**
 * Runner groups by their names. A job of `runs-on: {group: X}` names no label, so that only the group
 * of a runner keeps it away.
 */
export interface RunnerGroups {
  /** Of customers; where hosts register that are not to be apart. */
  readonly production: string;
  /** Absent: runners stay in the group that they registered in. */
  readonly apart?: {
    /** Open to the canary alone. */
    readonly quarantine: string;
    /** Open to nobody. */
    readonly closed: string;
  };
}

/** Where GitHub's runners are registered, how, and who asks. */
export interface GitHubSettings extends Pick<Keys['github'], 'ephemeral' | 'secretParameter'> {
  readonly scope: GitHubScope;
  readonly groups: RunnerGroups;
  /** Absent: a token asks. */
  readonly app?: { readonly appId: number; readonly installationId: number };
}

type CanaryKeys = Keys['canary'];

export type CanarySettings =
  | ({ readonly kind: 'job' } & Pick<CanaryKeys, 'jobName'>)
  | ({ readonly kind: 'project'; readonly project: string } & Pick<CanaryKeys, 'ref' | 'input'>)
  | ({
      readonly kind: 'workflow';
      /** `owner/name` */
      readonly repository: string;
    } & Pick<CanaryKeys, 'ref' | 'workflow'>)
  | { readonly kind: 'off' };

export type InfrastructureSettings = CommandInfrastructure | TerraformInfrastructure;

/** What both drivers obey. */
type BuildKeys = Pick<Keys['infrastructure'], 'passEnvironment' | 'timeoutMs'>;
type CommandKeys = Keys['infrastructure']['command'];
type TerraformKeys = Keys['infrastructure']['terraform'];

export interface CommandInfrastructure extends BuildKeys, CommandKeys {
  readonly driver: 'command';
  readonly apply: readonly string[];
  readonly destroy: readonly string[];
}

/** Texts may hold {shard} and {runner_name}. */
export interface TerraformInfrastructure extends BuildKeys, TerraformKeys {
  readonly driver: 'terraform';
  readonly directory: string;
}

export interface HostSettings extends Omit<Keys['host'], 'kind' | 'name'> {
  readonly process:
    | { readonly kind: 'docker'; readonly container: string }
    | { readonly kind: 'systemd'; readonly unit: string }
    /** GitHub's runner as a unit; each of its jobs is a process of its own, Runner.Worker. */
    | { readonly kind: 'actions_runner'; readonly unit: string };
}

type HealthcheckKeys = Keys['healthcheck'];
export type Requirement = HealthcheckKeys['evidence']['manager'];

export interface HealthcheckSettings extends HealthcheckKeys {
  readonly evidence: Readonly<Record<EvidenceKind, Requirement>>;
}

type BakeKeys = Keys['bake'];

/** How a promoted shard is watched under customers' jobs, and what that leads to. Without `forMs` there is no bake. */
export interface BakeSettings extends BakeKeys {
  readonly signals: BakeSignals;
  /** `off`: nobody looks. Without a bake `report` holds for the looks of the drain. */
  readonly onUnhealthy: NonNullable<BakeKeys['onUnhealthy']>;
}

type SignalKeys = BakeKeys['signals'];
/** `report`: what it finds is told, and decides nothing. */
export type SignalUse = NonNullable<SignalKeys['health']>;

export interface BakeSignals extends SignalKeys {
  readonly health: SignalUse;
  readonly canary: SignalUse;
  readonly failures: SignalUse;
}

export type PrometheusQuery = SignalKeys['prometheus'][number];

type DrainKeys = Keys['drain'];

export interface DrainSettings extends DrainKeys {
  /** Where these limits were written: a place in the file, a variable or a flag. */
  readonly chosenIn?: { readonly timeout?: string; readonly forceAfter?: string };
  readonly pollOfRunnerMs: number;
}
