import type { Log } from '../../src/ports/log-event.ts';
import { emptyWorld } from '../fakes/builders.ts';
import type { Call, Fault } from '../fakes/faults/fault-wrapper.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';

export const recordName = '/gitlab/dedicated/runner/linux/deployment_record';
export const lockName = '/gitlab/dedicated/runner/linux/deployment_lock';

/** Opens Parameter Store in virtual time. Its next writes can be set to fail. */
export function openStore(world = emptyWorld()) {
  const faults: Fault[] = [];
  const intercept = (call: Call): Fault | undefined =>
    call.effect && call.port === 'parameters' ? faults.shift() : undefined;
  const simulation = createSimulation({ world, intercept });
  const incarnation = simulation.incarnation({ deploymentId: '1-200', jobId: '7001' });
  return {
    world,
    simulation,
    incarnation,
    ports: incarnation.ports,
    /** Faults of the next writes. */
    faults,
    /** Writes a parameter as another writer. */
    write: (name: string, value: string) => putParameter(world, { name, value }),
    textOf: (name: string) => world.parameters[name]?.versions.at(-1)?.value,
    /** Drives time until the promise settles. */
    async settle<T>(promise: Promise<T>): Promise<T> {
      const outcome = await simulation.run(promise);
      if (outcome.kind === 'returned') return outcome.value;
      if (outcome.kind === 'threw') throw outcome.error;
      throw new Error(outcome.kind);
    },
  };
}

export function quietLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    section: () => undefined,
    act: (text) => lines.push(text),
    wait: (text) => lines.push(text),
    warn: (text) => lines.push(`! ${text}`),
    event: () => undefined,
  };
}
