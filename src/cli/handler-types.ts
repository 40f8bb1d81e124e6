import type { RecoveryMethod } from '../domain/deployment/recovery-methods.ts';
import type { StageName } from '../domain/deployment/stages-and-steps.ts';
import type { DeploymentId, RegistrationId, RunnerName, Shard } from '../domain/shard.ts';
import type { ExitCode } from '../errors/deploy-error.ts';
import type { Shell } from './arguments.ts';

/** What a command ends with; errors are thrown instead. */
export type CommandExit = 0 | ExitCode;

/** The work behind each command. Functions import what they need when they are called. */
export interface Handlers
  extends Record<
    Exclude<StageName, 'provision' | 'prepare'>,
    (options: StageOptions) => Promise<CommandExit>
  > {
  prepare(options: BeginningOptions): Promise<CommandExit>;
  healthcheck(options: HealthcheckOptions): Promise<CommandExit>;
  provision(options: ProvisionOptions): Promise<CommandExit>;
  finalizeAll(options: FinalizeAllOptions): Promise<CommandExit>;
  deploy(options: BeginningOptions): Promise<CommandExit>;
  status(options: StatusOptions): Promise<CommandExit>;
  dashboard(options: DashboardOptions): Promise<CommandExit>;
  doctor(options: DoctorOptions): Promise<CommandExit>;
  rollback(options: RollbackOptions): Promise<CommandExit>;
  activate(options: ActivateOptions): Promise<CommandExit>;
  recover(options: RecoverOptions): Promise<CommandExit>;
  hold(options: HoldOptions): Promise<CommandExit>;
  release(options: ReportedOptions): Promise<CommandExit>;
  renew(options: ReportedOptions): Promise<CommandExit>;
  validate(options: ValidateOptions): Promise<CommandExit>;
  checkDocument(options: CheckDocumentOptions): Promise<CommandExit>;
  completion(options: CompletionOptions): Promise<CommandExit>;
  explain(options: ExplainOptions): Promise<CommandExit>;
  verify(options: VerifyOptions): Promise<CommandExit>;
  replay(options: ReplayOptions): Promise<CommandExit>;
  init(options: InitOptions): Promise<CommandExit>;
  demo(options: DemoOptions): Promise<CommandExit>;
  sandbox(options: SandboxOptions): Promise<CommandExit>;
  sandboxApply(options: SandboxShardOptions): Promise<CommandExit>;
  sandboxDestroy(options: SandboxShardOptions): Promise<CommandExit>;
  sandboxSignal(options: SandboxSignalOptions): Promise<CommandExit>;
  /** Started by the sandbox itself; the arguments as they are. */
  sandboxManager(argv: readonly string[]): Promise<CommandExit>;
}

export interface CommonOptions {
  /** Of `--config` only; `loadConfiguration` knows what comes next. */
  readonly config?: string;
  /** `key=value` of each `--set`. */
  readonly overrides: readonly string[];
  /** False with `--no-color`; the terminal has its say elsewhere. */
  readonly color: boolean;
}

export interface StackOptions extends CommonOptions {
  readonly runnerName: RunnerName;
}

/** Where what a command saw, decided and did is written. */
export interface ReportedOptions extends StackOptions {
  /** Its events go to standard output as lines of JSON, and no text does. */
  readonly json?: boolean;
  readonly eventFile?: string;
  /** Lines only, also at a terminal. */
  readonly plain?: boolean;
  /** Each call, look and judgement as a line, too. */
  readonly verbose?: boolean;
  /** Where the files for the CI's reports go. */
  readonly reportDirectory?: string;
}

export interface StageOptions extends ReportedOptions {
  readonly deployment?: DeploymentId;
  /** A person says that the lock's owner no longer runs. */
  readonly takeLock: boolean;
}

/** Of what begins a deployment. */
export interface BeginningOptions extends StageOptions {
  /** Why what was taken back is deployed again. */
  readonly againBecause?: string;
}

export interface RollbackOptions extends StageOptions {
  /** For whoever deploys next. */
  readonly reason?: string;
}

/** Every stack of the configuration. */
export type FinalizeAllOptions = Omit<StageOptions, 'runnerName' | 'deployment'>;

export interface ProvisionOptions extends StageOptions {
  /** Absent: as the deployment was begun. */
  readonly until?: 'promoted' | 'healthy';
}

/** Without any of them it collects evidence until there is a verdict. */
export interface HealthcheckOptions extends StageOptions {
  /** Serves the verdict there; with `once` it is asked there. Port 0: any free one. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** Names in lower case by which it may be asked, besides an address and `localhost`. */
  readonly allowedHosts?: readonly string[];
  readonly once?: true;
  /** Absent: the active one. */
  readonly shard?: string;
  readonly everyMs?: number;
}

export interface ActivateOptions extends StageOptions {
  /** As it was typed: which two the stack has is known from the configuration. */
  readonly shard: string;
  /** Where its runner does not have the shard's description, or several have. */
  readonly registration?: RegistrationId;
}

export interface RecoverOptions extends StageOptions {
  readonly method: RecoveryMethod | 'auto';
  readonly yes: boolean;
  /** Of each `--address`: what `replace` builds anew. */
  readonly addresses: readonly string[];
  /** Which one `terminate` ends. */
  readonly instance?: string;
  readonly forceWhenNothingServes?: true;
}

export interface DoctorOptions extends CommonOptions {
  /** Absent: every stack. */
  readonly runnerName?: RunnerName;
  readonly json: boolean;
  readonly logs: boolean;
  readonly fix: boolean;
  readonly yes: boolean;
  /** Lines only while it repairs, also at a terminal. */
  readonly plain?: boolean;
  readonly eventFile?: string;
  readonly reportDirectory?: string;
}

export interface HoldOptions extends ReportedOptions {
  readonly reason: string;
}

export interface StatusOptions extends CommonOptions {
  /** Absent: every stack. */
  readonly runnerName?: RunnerName;
  readonly json: boolean;
  readonly watch: boolean;
  /** The calls to each API, too. */
  readonly api: boolean;
  readonly plain?: boolean;
  readonly eventFile?: string;
  readonly reportDirectory?: string;
}

/** Every stack of the configuration. */
export interface DashboardOptions extends CommonOptions {
  /** 0: any free one. */
  readonly port?: number;
  readonly everyMs?: number;
  /** The page is written there, and not served. */
  readonly once?: string;
}

export interface ValidateOptions extends CommonOptions {
  readonly json?: boolean;
}

export interface CheckDocumentOptions extends StackOptions {
  /** The document is written there, and not to standard output. */
  readonly output?: string;
}

export interface CompletionOptions {
  readonly shell: Shell;
}

export interface ExplainOptions {
  /** Of an error, as it was printed or in other letters; absent: all of them in brief. */
  readonly code?: string;
  readonly json: boolean;
}

export interface VerifyOptions {
  /** In the order of the deployment. */
  readonly files: readonly string[];
  readonly json: boolean;
}

export interface ReplayOptions {
  readonly file: string;
  readonly json: boolean;
}

export interface InitOptions {
  readonly config?: string;
  readonly ci?: 'gitlab' | 'github';
  /** A root module for one shard beside the configuration. */
  readonly terraform?: boolean;
  readonly force: boolean;
  readonly json?: boolean;
  readonly color: boolean;
}

export interface DemoOptions {
  readonly json?: string;
  readonly report?: string;
  readonly runners: 'gitlab' | 'github';
  /** The newest that is simulated when not given. */
  readonly gitlabVersion?: SimulatedGitlab;
  /** How many times faster than its usual pace; 1 when not given. */
  readonly speed: number;
  /** Every scene, and not the usual ones alone. */
  readonly all?: boolean;
  /** Every line, and not those alone that tell the story. */
  readonly verbose?: boolean;
  readonly plain?: boolean;
}

export interface SandboxOptions {
  readonly folder?: string;
  /** Where the exports are written once the sandbox accepts requests. */
  readonly env?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** A released gitlab-runner for the hosts. */
  readonly runnerBinary?: string;
  /** Where Parameter Store requests go instead of the sandbox's own. */
  readonly forwardSsm?: string;
  /** Whose runners its configuration deploys. */
  readonly runners: 'gitlab' | 'github';
  /** The newest that is simulated when not given. */
  readonly gitlabVersion?: SimulatedGitlab;
  readonly color: boolean;
}

export interface SandboxSignalOptions {
  /** Who is told: one alarm of CloudWatch, one query of Prometheus, or the webhook. */
  readonly of: { readonly alarm: string } | { readonly query: string } | 'webhook';
  /** Which words each of them knows, the sandbox itself tells. */
  readonly says: string;
}

export interface SandboxShardOptions {
  readonly runnerName: RunnerName;
  readonly shard: Shard;
}

/** The GitLabs that the sandbox can be, oldest first; the newest is what it is when nobody says. */
export const simulatedGitlabs = ['17.5', '17.11', '18.0', '18.7', '18.9', '19.1', '19.3'] as const;
export type SimulatedGitlab = (typeof simulatedGitlabs)[number];
