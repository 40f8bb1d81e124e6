import { DeployError } from '../../src/errors/deploy-error.ts';
import type { CallName } from '../../src/ports/ports.ts';
import type { RegistryJob } from '../../src/ports/registry.ts';
import type { RunReport } from '../../src/report/run-report.ts';
import { purple } from '../fakes/builders.ts';
import { deployment, runOf } from './running.ts';

/** Reports a drain that waits for two jobs, kills one, and still ends too late. */
export function reportLateDrain(): RunReport {
  const { log, wait, end } = runOf();
  const draining = { ...deployment, phase: 'draining' as const };
  log.event({ kind: 'record', how: 'read', deployment: draining });
  log.event({ kind: 'step', step: 'drain', phase: 'draining' });
  const jobs = [
    { id: '900017', name: 'integration', status: 'running' },
    { id: '900018', name: 'a'.repeat(200), status: 'running' },
  ] as RegistryJob[];
  const busy = { kind: 'busy', reason: 'two jobs run', jobs } as const;
  for (let poll = 1; poll <= 30; poll += 1) {
    log.event({ kind: 'drain', shard: purple, judgement: busy });
    log.wait(
      `Waiting: purple drains, job 900017 "integration" is running, ${poll * 4}s, about 3m left.`,
    );
    wait(4);
  }
  kill(log, 'host.kill', ['i-0abc1234567890def']);
  wait(1);
  kill(log, 'host.kill', ['i-0def1234567890abc']);
  kill(log, 'instances.terminate', [{ id: 'i-0def1234567890abc', shard: 'purple' }]);
  log.act('Killed the runner process on i-0abc1234567890def.');
  log.wait('Waiting: canary job 900001 begins.');
  wait(3);
  log.event({ kind: 'step', step: 'deregister', phase: 'drained' });
  log.event({ kind: 'step', step: 'destroy', phase: 'drained' });
  log.wait('Waiting: i-0def1234567890abc is shutting-down, 0s.');
  wait(40);
  const broken = [{ id: '900018', why: 'killed' }] as const;
  const cost = { jobsFinished: 1, jobsBroken: 1, broken, longestWaitSeconds: 41 } as const;
  log.event({
    kind: 'record',
    how: 'written',
    deployment: { ...draining, phase: 'drained', cost: { ...cost, twoShardsSeconds: 300 } },
  });
  const error = new DeployError({ code: 'DrainTimedOut', exitCode: 1, what: 'It took too long.' });
  return end({ error, stage: 'shutdown' });
}

function kill(
  log: Pick<ReturnType<typeof runOf>['log'], 'event'>,
  call: CallName,
  args: readonly unknown[],
): void {
  log.event({
    kind: 'call',
    c: 1,
    call,
    effect: true,
    args,
    outcome: 'answered',
    answer: undefined,
  });
}
