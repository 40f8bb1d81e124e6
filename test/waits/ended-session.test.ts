import { afterEach, expect, test } from '@jest/globals';
import { createProcessTable, systemMachine } from '../../src/adapters/system/processes.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../src/adapters/system/system-random.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { openSession } from '../../src/app/session-opening.ts';
import type { DeploymentId } from '../../src/domain/shard.ts';
import { startFakeSsm } from '../aws/fake-ssm.ts';
import { stackSettings } from '../fakes/builders.ts';
import { createRecordingLog } from '../stages/recording-log.ts';
import '../support/preloaded-adapters.ts';
import { typing } from '../support/typing.ts';

const before = process.env;
afterEach(() => {
  process.env = before;
});

const sent = { body: { Command: { CommandId: '11111111-2222-4333-8444-555555555555' } } };
/**
 * Systems Manager's status of a command on a hanging host, until the command expires after a minute
 * and a half.
 */
const pending = {
  body: { Status: 'Pending', StatusDetails: 'Pending', ResponseCode: -1 },
};

test('a command that has ended waits for no response of a host, not even for its error summary', async () => {
  const server = await startFakeSsm(sent, pending);
  const environment = {
    AWS_ACCESS_KEY_ID: 'AKIAMADEUP',
    AWS_SECRET_ACCESS_KEY: 'made-up',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: server.url,
    HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-made-up',
  };
  // The SDK reads the process's environment itself.
  process.env = { ...before, ...environment };
  const clock = createSystemClock();
  const session = await openSession({
    stage: 'shutdown',
    typed: typing('shutdown'),
    settings: stackSettings({ gitlabUrl: 'http://127.0.0.1:1' }),
    run: {
      ci: 'gitlab',
      deploymentId: '1-200' as DeploymentId,
      pipelineCreatedAt: '2026-11-02T08:00:00.000Z',
      jobId: '7001',
      by: 'anna',
    },
    surroundings: {
      environment: {
        ...environment,
        CI_PIPELINE_IID: '7',
        CI_PROJECT_ID: '1',
        CI_PIPELINE_ID: '200',
      },
      clock,
      random: createSystemRandom(),
      processes: createProcessTable(systemMachine({ hostname: 'here' })),
      redactor: createRedactor(),
      budget: createCallBudget({ clock }),
      // After a cancellation, only its last requests remain.
      signal: AbortSignal.abort(new Error('received SIGTERM')),
    },
    log: createRecordingLog(),
    takeLock: false,
  });
  const word = session.context.uncancelable.host.look('i-0123456789abcdef0');
  const ended = expect(word).rejects.toThrow('the command has ended');
  while (server.requests.length < 2) await clock.sleep(20);
  session.end();
  await ended;
  await server.close();
});
