import type { Simulation } from '../../fakes/simulation.ts';
import type { Command, Ending } from '../../stages/drive.ts';
import { start } from '../../stages/drive.ts';
import type { Evidence } from '../finishing.ts';
import type { Actor } from './scheduler.ts';

interface PipelineOrder {
  readonly name: string;
  readonly deploymentId: string;
  readonly commands: readonly Command[];
  readonly evidence: Evidence | undefined;
}

export interface PipelineRun {
  readonly name: string;
  over(): boolean;
  cancel(): void;
}

/** Job limit that exceeds any drain of these worlds. */
const jobMs = 8 * 3_600_000;

/** Runs one job after another like a CI, until one fails. */
export function startPipeline(
  simulation: Simulation,
  { name, deploymentId, commands, evidence }: PipelineOrder,
  endings: Ending[],
): PipelineRun {
  let over = false;
  let kill = () => {};
  const killed = new Promise<'killed'>((resolve) => {
    kill = () => resolve('killed');
  });
  const body = async () => {
    for (const [index, command] of commands.entries()) {
      const { incarnation, promise, ending } = start(simulation, command, {
        deploymentId,
        jobId: `${name} ${index}`,
        // The CI ends a job that waits too long, for example a bake under an operator's hold.
        deadline: simulation.world.now + jobMs,
        ...(evidence === undefined ? {} : { evidence }),
      });
      const outcome = await Promise.race([
        promise.then(
          (value) => ({ kind: 'returned', value }) as const,
          (error: unknown) => ({ kind: 'threw', error }) as const,
        ),
        killed,
      ]);
      if (outcome === 'killed') {
        incarnation.crash();
        return;
      }
      const end = ending(outcome);
      endings.push(end);
      if (end.kind === 'error') incarnation.end('error', end.error.code);
      else incarnation.end('done');
      if (end.kind === 'error') return;
    }
  };
  void body().finally(() => {
    over = true;
  });
  return { name, over: () => over, cancel: () => kill() };
}

export function pipelineActor({ name }: PipelineRun, turns: Map<string, (() => void)[]>): Actor {
  const mine = () => [...turns.keys()].find((key) => key.includes(`/${name} `));
  return {
    name: `the ${name} pipeline`,
    canAct: () => mine() !== undefined,
    act() {
      const key = mine();
      if (key === undefined) return;
      const [go, ...later] = turns.get(key) ?? [];
      if (later.length === 0) turns.delete(key);
      else turns.set(key, later);
      go?.();
    },
  };
}
