import type { BakeCheck } from '../../../domain/bake/judge-bake.ts';
import type { StageContext } from '../../context/context.ts';
import { watchFaults } from './candidate-faults.ts';
import { watchHealth } from './health-signal.ts';
import { readSignals } from './read-signals.ts';
import { watchStarvation } from './starvation.ts';

export interface ListedBakeCheck extends BakeCheck {
  /** Whether the customers' jobs could be listed; otherwise none is counted. */
  readonly isListed: boolean;
}

export interface BakeWatch {
  /** One look at everything that is watched, through the context of whoever looks now. */
  look(using: StageContext, needs?: 'canary'): Promise<ListedBakeCheck>;
}

/** Counts are had from the registry anew at each look: nothing is kept from one run to the next. */
export function createBakeWatch(context: StageContext): BakeWatch {
  const { candidate } = context.journal.current().deployment;
  const watch = watchFaults(context);
  const waits = watchStarvation();
  const health = watchHealth();
  let finished = 0;
  return {
    async look(using, needs) {
      const at = using.ports.clock.elapsed();
      const found = await watch.look(using);
      const listed = found === undefined ? {} : { jobs: found.jobs };
      const asked = { shard: candidate, before: watch.before(), waits, health, needs, ...listed };
      const signals = await readSignals(using, asked);
      if (found !== undefined) {
        finished = found.jobs.length;
        return { at, signals, faults: found.verdict, finished, isListed: true };
      }
      const reason = `the customers' jobs of ${candidate} cannot be listed`;
      return {
        at,
        signals,
        faults: { kind: 'inconclusive', reason },
        // What had ended has not gone away, and what was found in it is not forgotten.
        finished,
        isListed: false,
      };
    },
  };
}
