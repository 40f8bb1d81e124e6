import type { CallLimit } from './call-usage.ts';
import type { EvidenceKind } from './health/evidence.ts';
import type { SettingsOf } from './keys/key.ts';
import type { stackKeys } from './keys/key-table.ts';
import type { RunnerName, ShardPair } from './shard.ts';

/** One setting per key. Settings that depend on several keys follow below. */
type Keys = SettingsOf<typeof stackKeys>;

/** Sections whose keys depend on each other and are read together. */
type Combined = 'github' | 'registration' | 'canary' | 'infrastructure' | 'host';

/** Configuration of one stack; durations in milliseconds. `config/` creates it. */
export interface StackSettings extends Omit<Keys, 'runners' | 'callBudgets' | Combined> {
  readonly runnerName: RunnerName;
  /** URL of GitLab, or of GitHub if `github` is set, without a final slash. */
  readonly gitlabUrl: string;
  /** Budgets for calls to GitLab, in addition to GitLab's own limits. */
  readonly callLimits: readonly CallLimit[];
  /**
   * CI servers whose pipelines may have deployed this stack: tokens are sent there. `gitlab` is
   * absent if the file of a stack with GitHub's runners names none.
   */
  readonly ciServers: { readonly gitlab?: string; readonly github: string };
  /** Set if the runners are GitHub's. */
  readonly github?: GitHubSettings;
  readonly shards: ShardPair;
  /** Prefix of this stack only, with a final slash: `/gitlab/dedicated/runner/linux/`. */
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

/** AWS account and region, and the treatment of resources outside every infrastructure state. */
export interface AwsSettings extends Readonly<Keys['aws']> {
  /** Keys of the tags with the runner_name and the shard. */
  readonly stackTag: string;
  readonly shardTag: string;
}

/** Settings of a shard's runner in GitLab. */
export interface RegistrationSettings
  extends Omit<Keys['registration'], 'scope' | 'groupId' | 'projectId'> {
  readonly scope:
    | { readonly kind: 'instance' }
    | { readonly kind: 'group'; readonly groupId: number }
    | { readonly kind: 'project'; readonly projectId: number };
}

/** Scope in which GitHub keeps a stack's runners. */
export type GitHubScope =
  | { readonly kind: 'repository'; readonly owner: string; readonly repository: string }
  | { readonly kind: 'organization'; readonly organization: string }
  | { readonly kind: 'enterprise'; readonly enterprise: string };

/**
 * Runner groups by name. A job with `runs-on: {group: X}` names no label: only the group of a
 * runner keeps it away.
 */
export interface RunnerGroups {
  /** Group for customers' jobs; hosts register here unless `apart` is set. */
  readonly production: string;
  /** Absent: runners stay in the group in which they registered. */
  readonly apart?: {
    /** Group that only the canary can use. */
    readonly quarantine: string;
    /** Group that no repository can use. */
    readonly closed: string;
  };
}

/** Scope, groups and credentials of GitHub's runners. */
export interface GitHubSettings extends Pick<Keys['github'], 'ephemeral' | 'secretParameter'> {
  readonly scope: GitHubScope;
  readonly groups: RunnerGroups;
  /** Absent: requests use a token. */
  readonly app?: { readonly appId: number; readonly installationId: number };
}

type CanaryKeys = Keys['canary'];

export type CanarySettings =
  | ({ readonly kind: 'job' } & Pick<CanaryKeys, 'jobName'>)
  | ({ readonly kind: 'project'; readonly project: string } & Pick<CanaryKeys, 'ref' | 'input'>)
  | ({
      readonly kind: 'workflow';
      /** Repository as `owner/name`. */
      readonly repository: string;
    } & Pick<CanaryKeys, 'ref' | 'workflow'>)
  | { readonly kind: 'off' };

export type InfrastructureSettings = CommandInfrastructure | TerraformInfrastructure;

/** Settings of both drivers. */
type BuildKeys = Pick<Keys['infrastructure'], 'passEnvironment' | 'timeoutMs'>;
type CommandKeys = Keys['infrastructure']['command'];
type TerraformKeys = Keys['infrastructure']['terraform'];

export interface CommandInfrastructure extends BuildKeys, CommandKeys {
  readonly driver: 'command';
  readonly apply: readonly string[];
  readonly destroy: readonly string[];
}

/** Settings of the `terraform` driver. Texts may contain {shard} and {runner_name}. */
export interface TerraformInfrastructure extends BuildKeys, TerraformKeys {
  readonly driver: 'terraform';
  readonly directory: string;
}

export interface HostSettings extends Omit<Keys['host'], 'kind' | 'name'> {
  readonly process:
    | { readonly kind: 'docker'; readonly container: string }
    | { readonly kind: 'systemd'; readonly unit: string }
    /** GitHub's runner as a unit; each of its jobs is a separate process, Runner.Worker. */
    | { readonly kind: 'actions_runner'; readonly unit: string };
}

type HealthcheckKeys = Keys['healthcheck'];
export type Requirement = HealthcheckKeys['evidence']['manager'];

export interface HealthcheckSettings extends HealthcheckKeys {
  readonly evidence: Readonly<Record<EvidenceKind, Requirement>>;
}

type BakeKeys = Keys['bake'];

/**
 * Checks of a promoted shard under customers' jobs, and their consequences. Without `forMs`, no
 * bake takes place.
 */
export interface BakeSettings extends BakeKeys {
  readonly signals: BakeSignals;
  /** `off`: no checks. Without a bake, `report` applies to the checks of the drain. */
  readonly onUnhealthy: NonNullable<BakeKeys['onUnhealthy']>;
}

type SignalKeys = BakeKeys['signals'];
/** Use of a signal; `report` only prints its result. */
export type SignalUse = NonNullable<SignalKeys['health']>;

export interface BakeSignals extends SignalKeys {
  readonly health: SignalUse;
  readonly canary: SignalUse;
  readonly failures: SignalUse;
}

export type PrometheusQuery = SignalKeys['prometheus'][number];

type DrainKeys = Keys['drain'];

export interface DrainSettings extends DrainKeys {
  /** Source of these limits: a place in the file, a variable or a flag. */
  readonly chosenIn?: { readonly timeout?: string; readonly forceAfter?: string };
  readonly pollOfRunnerMs: number;
}
