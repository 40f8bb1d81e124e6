import { isBaking } from '../../domain/bake/bake-note.ts';
import type { OfShard } from '../../domain/deployment/guards/tags.ts';
import { lastingAfterMs } from '../../domain/deployment/lock/owner-state.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import type { Phase, SessionCommand } from '../../domain/deployment/stages-and-steps.ts';
import type { DrainLook } from '../../domain/drain/drain-check.ts';
import type { Service } from '../../domain/health/service-verdict.ts';
import type { RegistryTerms } from '../../domain/registry-terms.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import type { Typed } from '../../errors/fix-line.ts';
import type { Log } from '../../ports/log-event.ts';
import type { BarredPorts } from '../../ports/ports.ts';
import type { Run } from '../../ports/run.ts';
import type { Journal } from '../record/journal.ts';
import type { ParameterNames } from '../record/parameter-names.ts';
import type { Baking, ServiceWatch } from './run-memory.ts';

/** Everything a stage is handed; one for each stack and run. */
export interface StageContext {
  /** The command that runs. */
  readonly stage: SessionCommand;
  /** What was typed: every command that is printed is made for whoever typed it. */
  readonly typed: Typed;
  readonly settings: StackSettings;
  readonly run: Run;
  readonly ports: BarredPorts;
  readonly names: ParameterNames;
  readonly journal: Journal;
  readonly log: Log;
  /** A person has said so: neither shard can serve, and what is left is taken all the same. */
  readonly forceWhenNothingServes?: true;
  /** Why a person deploys again what may have been taken back. */
  readonly againBecause?: string;
  /** This command has begun the deployment, or is at it already: that it goes on with it is no news. */
  readonly hasBegun?: true;
  /** Nothing has happened since the candidate was found unhealthy: if the apply finds nothing to do, it is looked at briefly. */
  readonly isRecheck?: true;
  /** The phase that this run has found and goes on from: an effect of an earlier run may still come. */
  readonly resumedIn?: Phase;
  /** This run has begun the retreat whose drain goes on: until that has ended no process was stopped. */
  readonly hasStoppedNothing?: true;
  /** The same past a cancel, for the one effect that is begun after it: `withReopenOnFailure`. */
  readonly afterCancel?: StageContext;
  /** What this run has seen of whether a shard serves. */
  readonly watches?: Map<Shard, ServiceWatch>;
  /** What the error that ends this run says of whether a shard serves; its last words say the same. */
  readonly serviceForNowLine?: Map<Shard, Service>;
  /** What this run has warned of already, for what it sees more than once. */
  readonly warned?: Set<string>;
  /** Hosts that have not said by then whether their shard serves are not waited for. */
  readonly hostsWithinMs?: number;
  /** What this run has looked at while a shard drained. */
  readonly drainLooks?: Map<Shard, readonly DrainLook[]>;
  /** Registrations that this run has removed, and seen absent. GitLab gives no id a second time. */
  readonly removed?: Set<RegistrationId>;
  /** What a rollback goes back to, and this run has opened. */
  readonly returned?: Set<Shard>;
  /** What this process has seen of a bake, from one lock to the next. */
  readonly baking?: Baking;
}

/** For judging a registration of the shard by its tags. */
export function ofShard(
  { settings, journal }: Pick<StageContext, 'settings' | 'journal'>,
  shard: Shard,
): OfShard {
  return { shard, settings, record: recordOf({ journal }) };
}

/** As far as this run has read it; undefined where there is none. */
export function recordOf({ journal }: Pick<StageContext, 'journal'>): DeploymentRecord | undefined {
  return journal.version() === 0 ? undefined : journal.current();
}

/** What is typed to run this again. */
export function againOf({ typed, settings }: Pick<StageContext, 'typed' | 'settings'>): string {
  return typed.again(settings.runnerName);
}

/** Of what every look shows again, and nobody has to read twice. */
export function warnOnce({ log, warned }: StageContext, text: string): void {
  if (warned?.has(text) === true) return;
  warned?.add(text);
  log.warn(text);
}

/**
 * Whether the deployment has been for a day in a phase that does not wait for jobs or for a bake. What
 * stops it then is reported as lasting. Without a record, the age of the run's pipeline counts.
 */
export function hasStalled({ journal, ports, run }: StageContext): boolean {
  if (journal.version() === 0)
    return ports.clock.now() - Date.parse(run.pipelineCreatedAt) >= lastingAfterMs;
  const { deployment } = journal.current();
  const { phase, phaseAt } = deployment;
  if (phase === 'done' || phase === 'draining' || isBaking(deployment)) return false;
  return ports.clock.now() - Date.parse(phaseAt) >= lastingAfterMs;
}

export function timestamp({ ports }: Pick<StageContext, 'ports'>): string {
  return new Date(ports.clock.now()).toISOString();
}

/** In which words the registry's people speak of what is registered there. */
export function wordsOf({ ports }: Pick<StageContext, 'ports'>): RegistryTerms {
  return ports.registry.traits.words;
}
