import { asDeployError } from '../../src/errors/external-errors.ts';
import type { LogEvent } from '../../src/ports/log-event.ts';
import { createEventLines } from '../../src/report/event-file/event-lines.ts';
import { endEvent, runEvent } from '../../src/report/event-file/run-lines.ts';
import type { StageResult } from '../../src/stages/context/result.ts';
import type { Incarnation } from '../fakes/simulation.ts';

export interface Witness {
  event(event: LogEvent): void;
  /** Records how the run ends. A crashed run has no end. */
  toEnd(run: Promise<StageResult>): Promise<StageResult>;
}

/** Writes a run's event file like app.ts and the command around it. */
export function bearWitness(
  { name, stack, run, ports: { clock } }: Incarnation,
  command: string,
  write: (line: string) => void,
): Witness {
  const event = createEventLines({
    run: name,
    clock,
    redact: (text) => text.replace(/glrt-[\w-]+/g, '[MASKED]'),
    write,
  });
  event(runEvent({ command, program: 'simulated', run, settings: stack }));
  return {
    event,
    async toEnd(promise) {
      try {
        const result = await promise;
        event(endEvent({ result }));
        return result;
      } catch (error) {
        event(endEvent({ error: asDeployError(error, command) }));
        throw error;
      }
    },
  };
}
