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

/** Everything a stage is handed, complete from the beginning; one for each stack and run. */
export interface StageContext {
  /** The command that runs. */
  readonly stage: SessionCommand;
  /** What was typed: every command that is printed is made for whoever typed it. */
  readonly typed: Typed;
  readonly settings: StackSettings;
  readonly run: Run;
  readonly ports: BarredPorts;
  /** The same ports, which still work after a cancel: see `toUncancelable`. */
  readonly uncancelable: BarredPorts;
  readonly names: ParameterNames;
  readonly journal: Journal;
  readonly log: Log;
  readonly memory: RunMemory;
  /** The operator has confirmed that neither shard can serve: what is left is removed all the same. */
  readonly forceWhenNothingServes: boolean;
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

/** Returns the context for what follows a cancel: the lock's release, the error summary, and one effect. */
export function toUncancelable(context: StageContext): StageContext {
  const { uncancelable: ports, journal } = context;
  return { ...context, ports, journal: journal.through(ports) };
}

/** Returns true once for each key. A check that is repeated finds the same again. */
export function isNews({ memory: { reported } }: StageContext, key: string): boolean {
  if (reported.has(key)) return false;
  reported.add(key);
  return true;
}

export function warnOnce(context: StageContext, text: string): void {
  if (isNews(context, text)) context.log.warn(text);
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
