import { expect, test } from '@jest/globals';
import { parseHostOutput } from '../../../src/adapters/aws/hosts/host-output.ts';
import { readProcess } from '../../../src/adapters/aws/hosts/process-state.ts';
import type { HostReport } from '../../../src/ports/runner-host.ts';

// See the table of Restart= in systemd.service(5). A unit that systemd restarts is `activating`
// before any check can read its state.
test.each<[string, readonly string[], HostReport['process'], boolean]>([
  ['ended well under on-failure', ['inactive', 'dead', 'on-failure'], 'stopped', false],
  ['been started too often', ['failed', 'failed', 'on-failure'], 'stopped', false],
  ['been stopped by hand under always', ['inactive', 'dead', 'always'], 'stopped', false],
  ['ended well under always', ['activating', 'auto-restart', 'always'], 'starting', true],
  ['a start in the queue', ['activating', 'auto-restart-queued', 'always'], 'starting', true],
  [
    'its next start before it',
    ['inactive', 'dead-before-auto-restart', 'always'],
    'starting',
    true,
  ],
  [
    'failed, and a start before it',
    ['failed', 'failed-before-auto-restart', 'on-failure'],
    'starting',
    true,
  ],
  ['a start that waits for its turn', ['inactive', 'dead', 'on-failure', '812'], 'starting', true],
  ['begun to end', ['deactivating', 'stop-sigterm', 'on-failure'], 'quitting', true],
  ['no separate process', ['active', 'exited', 'on-failure'], 'unknown', true],
])(
  'the process and its restart follow from a unit that has %s',
  (_, [state, sub, restart, job], process, restarts) => {
    const printed = [
      `Restart=${restart}`,
      'LoadState=loaded',
      `ActiveState=${state}`,
      `SubState=${sub}`,
      // systemctl also prints a requested property with an empty value.
      `Job=${job ?? ''}`,
    ];
    const lines = ['show_code=0', ...printed.map((one) => `unit=${one}`)];
    const report = readProcess(parseHostOutput(lines.join('\n')));
    expect(report).toEqual({ process, restarts });
  },
);
