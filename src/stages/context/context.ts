import { isBaking } from '../../domain/bake/bake-note.ts';
import type { OfShard } from '../../domain/deployment/guards/runner-tags.ts';
import { lastingAfterMs } from '../../domain/deployment/lock/pipeline-state.ts';
import type { DeploymentRecord } from '../../domain/deployment/record.ts';
import type { SessionCommand } from '../../domain/deployment/stages-and-steps.ts';
import type { RegistryTerms } from '../../domain/registry-terms.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { Shard } from '../../domain/shard.ts';
import type { Typed } from '../../errors/fix-line.ts';
import type { Log } from '../../ports/log-event.ts';
import type { BarredPorts } from '../../ports/ports.ts';
import type { Run } from '../../ports/run.ts';
import type { Journal } from '../record/journal.ts';
import type { ParameterNames } from '../record/parameter-names.ts';
import type { RunMemory } from './run-memory.ts';

/** Input of a stage, complete from the beginning; one for each stack and run. */
export interface StageContext {
  readonly stage: SessionCommand;
  /** Identity of the command as it was entered, from which suggested commands are built. */
  readonly typed: Typed;
  readonly settings: StackSettings;
  readonly run: Run;
  readonly ports: BarredPorts;
  /** Ports that still work after a cancel: see `toUncancelable`. */
  readonly uncancelable: BarredPorts;
  readonly names: ParameterNames;
  readonly journal: Journal;
  readonly log: Log;
  readonly memory: RunMemory;
  /** The operator has confirmed that neither shard can accept jobs and may be removed. */
  readonly forceWhenNoneAccepts: boolean;
}

/** Returns the input that assigns a runner to the shard by its tags. */
export function ofShard(
  { settings, journal }: Pick<StageContext, 'settings' | 'journal'>,
  shard: Shard,
): OfShard {
  return { shard, settings, record: recordOf({ journal }) };
}

/** Returns the deployment record as this run has read it; undefined without a record. */
export function recordOf({ journal }: Pick<StageContext, 'journal'>): DeploymentRecord | undefined {
  return journal.version() === 0 ? undefined : journal.current();
}

/** Returns the command that repeats this run. */
export function againOf({ typed, settings }: Pick<StageContext, 'typed' | 'settings'>): string {
  return typed.again(settings.runnerName);
}

/** Returns the context after a cancel, for the lock's release, the error summary and one effect. */
export function toUncancelable(context: StageContext): StageContext {
  const { uncancelable: ports, journal } = context;
  return { ...context, ports, journal: journal.through(ports) };
}

/** Returns true on the first call with a key; repeated checks find the same again. */
export function isNews({ memory: { reported } }: StageContext, key: string): boolean {
  if (reported.has(key)) return false;
  reported.add(key);
  return true;
}

export function warnOnce(context: StageContext, text: string): void {
  if (isNews(context, text)) context.log.warn(text);
}

/**
 * Decides whether the deployment has spent a day in a phase that does not wait for jobs or a bake.
 * An obstacle is then reported as permanent. Without a record, the age of the pipeline counts.
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

/** Returns the terms that the registry's users know, such as "runner". */
export function wordsOf({ ports }: Pick<StageContext, 'ports'>): RegistryTerms {
  return ports.registry.traits.words;
}
