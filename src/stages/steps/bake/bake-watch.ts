import type { BakeCheck } from '../../../domain/bake/judge-bake.ts';
import type { StageContext } from '../../context/context.ts';
import { watchFaults } from './candidate-faults.ts';
import { watchHealth } from './health-signal.ts';
import { readSignals } from './read-signals.ts';
import { watchStarvation } from './starvation.ts';

export interface ListedBakeCheck extends BakeCheck {
  /** Whether the customer jobs could be listed. Otherwise none is counted. */
  readonly isListed: boolean;
}

export interface BakeWatch {
  /** Checks all signals once, through the given context. */
  check(using: StageContext, needs?: 'canary'): Promise<ListedBakeCheck>;
}

/** Watches all signals. Counts come from the registry at each check; no run inherits them. */
export function createBakeWatch(context: StageContext): BakeWatch {
  const { candidate } = context.journal.current().deployment;
  const watch = watchFaults(context);
  const waits = watchStarvation();
  const health = watchHealth();
  let finished = 0;
  return {
    async check(using, needs) {
      const at = using.ports.clock.elapsed();
      const found = await watch.check(using);
      const listed = found === undefined ? {} : { jobs: found.jobs };
      const facts = { shard: candidate, before: watch.before(), waits, health, needs, ...listed };
      const signals = await readSignals(using, facts);
      if (found !== undefined) {
        finished = found.jobs.length;
        return { at, signals, faults: found.verdict, finished, isListed: true };
      }
      const reason = `the customer jobs of ${candidate} cannot be listed`;
      return {
        at,
        signals,
        faults: { kind: 'inconclusive', reason },
        // The earlier count stays valid while the jobs cannot be listed.
        finished,
        isListed: false,
      };
    },
  };
}
