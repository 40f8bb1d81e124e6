import type { CallLimit } from './call-usage.ts';
import type { EvidenceKind } from './health/evidence.ts';
import type { FaultRates } from './health/fault-rate.ts';
import type { RunnerName, ShardPair } from './shard.ts';

export type Requirement = 'required' | 'optional' | 'off';

/** Everything that one stack is configured to; durations in milliseconds. Built by `config/`. */
export interface StackSettings {
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
  readonly kmsKeyId?: string;
  readonly aws: AwsSettings;
  readonly registration: RegistrationSettings;
  readonly canary: CanarySettings;
  readonly infrastructure: InfrastructureSettings;
  readonly host: HostSettings;
  /** How many runner managers a shard has. */
  readonly managers: number;
  readonly healthcheck: HealthcheckSettings;
  readonly drain: DrainSettings;
  readonly bake: BakeSettings;
}

/** Whose AWS it is, and what becomes of resources that no infrastructure's state knows. */
export interface AwsSettings {
  /** Twelve digits; credentials of another account are refused. */
  readonly account?: string;
  /** Calls to another region are refused. */
  readonly region?: string;
  /** ARNs of the roles of later stages, where they are not prepare's own. */
  readonly stageRoles: Readonly<Record<string, string>>;
  readonly sweep: 'remove' | 'report' | 'off';
  /** Names of a shard's roles and instance profiles, with {shard} and {runner_name} in them. */
  readonly roleNames: readonly string[];
  /** Keys of the tags whose values are the runner_name and the shard. */
  readonly stackTag: string;
  readonly shardTag: string;
}

/** What GitLab keeps of a shard's runner record. */
export interface RegistrationSettings {
  readonly scope:
    | { readonly kind: 'instance' }
    | { readonly kind: 'group'; readonly groupId: number }
    | { readonly kind: 'project'; readonly projectId: number };
  /** The tags of customers' jobs: the production tags. */
  readonly tags: readonly string[];
  readonly runUntagged: boolean;
  readonly locked: boolean;
  readonly accessLevel: 'not_protected' | 'ref_protected';
  readonly maximumTimeoutSeconds?: number;
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
export interface GitHubSettings {
  readonly scope: GitHubScope;
  readonly groups: RunnerGroups;
  /** Whether a runner takes one job only and then leaves. */
  readonly ephemeral: boolean;
  /** Absent: a token asks. */
  readonly app?: { readonly appId: number; readonly installationId: number };
  /** Parameter Store's name of the token or of the App's private key; absent: the environment's. */
  readonly secretParameter?: string;
}

export type CanarySettings =
  | { readonly kind: 'job'; readonly jobName: string }
  | {
      readonly kind: 'project';
      readonly project: string;
      readonly ref: string;
      readonly input: string;
    }
  | {
      readonly kind: 'workflow';
      /** `owner/name` */
      readonly repository: string;
      readonly workflow: string;
      readonly ref: string;
    }
  | { readonly kind: 'off' };

export type InfrastructureSettings = CommandInfrastructure | TerraformInfrastructure;

export interface CommandInfrastructure {
  readonly driver: 'command';
  readonly apply: readonly string[];
  readonly destroy: readonly string[];
  /** Prints what exists as JSON; without it, only the hosts themselves are looked at. */
  readonly outputs?: readonly string[];
  readonly workingDirectory?: string;
  /** Names of environment variables that the commands may see besides the usual ones. */
  readonly passEnvironment: readonly string[];
  readonly timeoutMs: number;
}

/** Texts may hold {shard} and {runner_name}. */
export interface TerraformInfrastructure {
  readonly driver: 'terraform';
  readonly binary: 'terraform' | 'tofu';
  readonly directory: string;
  /** `key=value` of the backend. */
  readonly backendConfig: readonly string[];
  readonly workspace?: string;
  readonly varFiles: readonly string[];
  /** `name=value`. */
  readonly variables: readonly string[];
  readonly lockTimeoutMs: number;
  /** Names of the shard besides {shard}-{runner_name}, for the plan guard. */
  readonly ownNames: readonly string[];
  readonly stackTag: string;
  readonly shardTag: string;
  readonly passEnvironment: readonly string[];
  readonly timeoutMs: number;
}

export interface HostSettings {
  readonly access: 'run_command' | 'none';
  readonly process:
    | { readonly kind: 'docker'; readonly container: string }
    | { readonly kind: 'systemd'; readonly unit: string }
    /** GitHub's runner as a unit; each of its jobs is a process of its own, Runner.Worker. */
    | { readonly kind: 'actions_runner'; readonly unit: string };
  /** Port of the runner's `listen_address` on the host's loopback. */
  readonly listenPort: number;
  /** Of the gRPC wrapper on the host: `tcp://localhost:7777` or `unix:///…`. Absent: there is none. */
  readonly wrapper?: string;
  /** Name of the check document in Systems Manager. Absent: checks are sent as AWS-RunShellScript. */
  readonly document?: string;
}

export interface HealthcheckSettings {
  readonly timeoutMs: number;
  readonly evidence: Readonly<Record<EvidenceKind, Requirement>>;
  /** Own limits, each from when its kind is first asked for; absent: only `timeoutMs` holds. */
  readonly timeoutsMs: Readonly<Partial<Record<EvidenceKind, number>>>;
  /** So many healthy looks in a row make a verdict. */
  readonly successes: number;
  /** Of an autoscaled shard, summed over its managers; 0 without an autoscaler. */
  readonly idleWorkers: number;
  /** What jobs must reach: `https://…` or `host:port`. */
  readonly reach: readonly string[];
  readonly observeJobs: number;
  /** Pulled and run by the workload probe; absent: an image that the host has. */
  readonly workloadImage?: string;
  readonly evidenceMaxAgeMs: number;
  readonly pollMs: number;
}

/** How a promoted shard is watched under customers' jobs, and what that leads to. */
export interface BakeSettings {
  /** So long it is watched, from when it was promoted. Absent: there is no bake. */
  readonly forMs?: number;
  /** After this the watching ends, whatever it has found. */
  readonly atMostMs: number;
  /** So many customers' jobs at least have to end there. */
  readonly jobs: number;
  readonly pollMs: number;
  readonly rates: FaultRates;
  readonly signals: BakeSignals;
  /** `off`: nobody looks. Without a bake `report` holds for the looks of the drain. */
  readonly onUnhealthy: 'off' | 'report' | 'hold' | 'rollback';
  readonly onInconclusive: 'proceed' | 'hold';
}

/** `report`: what it finds is told, and decides nothing. */
export type SignalUse = 'required' | 'report' | 'off';

export interface BakeSignals {
  /** The healthcheck's evidence once more, without a canary. */
  readonly health: SignalUse;
  /** A canary once the time is over. */
  readonly canary: SignalUse;
  /** Failures of the script, beside those of the same jobs before. */
  readonly failures: SignalUse;
  /** So long may a customer's job wait while the shard starts none. Absent: nobody asks. */
  readonly starvationMs?: number;
  readonly prometheus: readonly PrometheusQuery[];
  /** Names of CloudWatch's. */
  readonly cloudwatchAlarms: readonly string[];
  readonly webhookUrl?: string;
}

export interface PrometheusQuery {
  /** PromQL, evaluated at the moment of each look. */
  readonly query: string;
  /** Of the server, without /api/v1 and without a slash at its end. */
  readonly url: string;
  /** A value above this is bad. */
  readonly above: number;
  /** So long it has to be above. */
  readonly forMs: number;
  readonly use: 'required' | 'report';
}

export interface DrainSettings {
  /** After this the stage ends in an error and the shard goes on draining. Absent: no limit. */
  readonly timeoutMs?: number;
  /** After this running jobs are killed. Absent: never. */
  readonly forceAfterMs?: number;
  /** Where those two were written: a place in the file, a variable or a flag. */
  readonly chosenIn?: { readonly timeout?: string; readonly forceAfter?: string };
  /** Longer than one poll of the runner (`check_interval`, or the long poll of 50 s). */
  readonly pollOfRunnerMs: number;
  /** How long GitLab alone must say idle where the host cannot be asked. */
  readonly confirmationMs: number;
  readonly pollMs: number;
  /** How often the shard that stays is asked whether it serves. */
  readonly servicePollMs: number;
}
