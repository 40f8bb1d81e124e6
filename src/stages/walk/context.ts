import type { Phase } from '../../domain/deployment/stages-and-steps.ts';
import type { DrainLook } from '../../domain/drain/drain.ts';
import type { RegistryWords } from '../../domain/registry-words.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { Shard } from '../../domain/shard.ts';
import type { Log } from '../../ports/log.ts';
import type { BarredPorts } from '../../ports/ports.ts';
import type { Run } from '../../ports/run.ts';
import type { Journal } from '../record/journal.ts';
import type { ParameterNames } from '../record/names.ts';
import type { ServiceWatch } from '../service/service-watch.ts';

/** Everything a stage is handed; one for each stack and run. */
export interface StageContext {
  /** The command that runs, for messages. */
  readonly stage: string;
  /** What is typed to run it again. */
  readonly again: string;
  readonly settings: StackSettings;
  readonly run: Run;
  readonly ports: BarredPorts;
  readonly names: ParameterNames;
  readonly journal: Journal;
  readonly log: Log;
  /** A person has said so: neither shard can serve, and what is left is taken all the same. */
  readonly although?: 'nothing_serves';
  /** This command has begun the deployment and said so: that it goes on with it is no news. */
  readonly hasBegun?: true;
  /** The phase that this run has found and goes on from: an effect of an earlier run may still come. */
  readonly resumedIn?: Phase;
  /** The same past a cancel, for the one effect that is begun after it: `endingServed`. */
  readonly afterCancel?: StageContext;
  /** What this run has seen of whether a shard serves. */
  readonly watches?: Map<Shard, ServiceWatch>;
  /** What this run has looked at while a shard drained. */
  readonly drainLooks?: Map<Shard, readonly DrainLook[]>;
}

export function timestamp({ ports }: Pick<StageContext, 'ports'>): string {
  return new Date(ports.clock.now()).toISOString();
}

/** In which words the registry's people speak of what is registered there. */
export function wordsOf({ ports }: Pick<StageContext, 'ports'>): RegistryWords {
  return ports.registry.traits.words;
}
