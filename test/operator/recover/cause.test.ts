import { expect, test } from '@jest/globals';
import { recover } from '../../../src/operator/recover/recover.ts';
import { purple } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import { drive } from '../../stages/drive.ts';
import { stackOf } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

const scaling = (reason: string) => `ERROR: increasing instances failure err=${reason}`;

/** A cause that passes in an hour or in another zone does not justify the removal of a machine. */
test.each<[string, string, 'rerun' | 'terminate']>([
  ['calls that AWS throttled', scaling('RequestLimitExceeded'), 'rerun'],
  ['a full subnet', scaling('InsufficientFreeAddressesInSubnet'), 'rerun'],
  ['a zone without capacity', scaling('InsufficientInstanceCapacity'), 'rerun'],
  [
    'a worker that AWS has terminated',
    'WARNING: Preparation failed: tunnel: not supported on a terminated instance',
    'rerun',
  ],
  [
    'a GitLab that answers with 500',
    'WARNING: Checking for jobs... failed status=POST https://x/api/v4/jobs/request: 500 Internal Server Error',
    'rerun',
  ],
  [
    'an executor that cannot run a job',
    'WARNING: Preparation failed: Cannot connect to the Docker daemon',
    'terminate',
  ],
])('auto chooses by %s', async (_, line, method) => {
  const world = await failed(1, 'never_takes_jobs');
  for (const host of hostsOf(world, stackOf(world), purple)) host.log.push(line);
  const ending = await drive(createSimulation({ world }), 'recover auto', {
    deploymentId: 'terminal-1',
    ci: 'terminal',
    act: (context) => recover(context, { method: 'auto', consent: { kind: 'given' } }),
  });
  const [chosen] = ending.log.filter((one) => one.startsWith('Chose'));
  expect(chosen).toMatch(new RegExp(`^Chose ${method}: `));
});
