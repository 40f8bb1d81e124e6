import './preloaded-modules.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../../src/adapters/system/system-random.ts';
import { createCallBudget } from '../../../src/adapters/transport/budget.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import type { Surroundings } from '../../../src/app/compose/compose.ts';
import { openSession } from '../../../src/app/session-opening.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import type { LogEvent } from '../../../src/ports/log-event.ts';
import { identify } from '../../../src/stages/effects/identify.ts';
import { runSession } from '../../../src/stages/run/session.ts';
import { drain } from '../../../src/stages/steps/drain/drain.ts';
import { deploymentId } from '../../support/promoted-stack.ts';
import { typing } from '../../support/typing.ts';
import type { DrainedStack } from './stack.ts';

export interface DrainRun {
  readonly stack: DrainedStack;
  readonly retiring: Shard;
  /** Names the run, as a CI names its job. */
  readonly jobId: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called in the very moment of each look's judgement. */
  readonly onLook: (isDrained: boolean) => void;
  readonly onLine: (line: string) => void;
  /** A person says that the run before this one is over. */
  readonly takeLock: boolean;
}

/** The step of the stage `shutdown` that decides, over the adapters that production uses. */
export async function runDrain(run: DrainRun): Promise<void> {
  const { stack, retiring, jobId, environment, signal, onLook, onLine, takeLock } = run;
  const event = (told: LogEvent) => {
    if (told.kind === 'drain') onLook(told.judgement.kind === 'drained');
  };
  const clock = createSystemClock();
  const surroundings: Surroundings = {
    environment: { ...environment, HOSTED_RUNNER_DEPLOYMENT: deploymentId },
    clock,
    random: createSystemRandom(),
    // Each run stands for a CI job, a process of its own with a budget of its own, and one that was cut is no more.
    processes: {
      self: jobId,
      host: 'drains',
      identify: () => undefined,
      isAlive: (identity) => (identity === jobId ? 'alive' : 'dead'),
      find: () => undefined,
    },
    redactor: createRedactor(),
    budget: createCallBudget({ clock }),
    signal,
  };
  const session = await openSession({
    stage: 'shutdown',
    typed: typing('shutdown'),
    settings: stack.settings,
    run: {
      ci: 'terminal',
      deploymentId,
      pipelineCreatedAt: new Date().toISOString(),
      jobId,
      by: 'deployer',
    },
    surroundings,
    log: { section: onLine, act: onLine, wait: onLine, warn: onLine, event },
    takeLock,
  });
  await runSession(session, async (context) => {
    await identify(context, 'shutdown');
    await drain(context, retiring);
    return { kind: 'done', summary: [] };
  });
}
