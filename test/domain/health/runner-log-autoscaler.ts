import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';
import { coloured, ids, json } from './runner-log.ts';

const fleeting =
  'failed to update executor: initializing taskscaler: running autoscaler plugin: fork/exec fleeting-plugin-aws: no such file or directory';
const scaling = 'failed to update executor: initializing taskscaler:';
// Text behind "loading fleeting plugin:" comes from another project, so no sign uses it.
const unloaded = `${scaling} running autoscaler plugin: loading fleeting plugin: plugin not found`;
const refusedSettings = `${scaling} creating taskscaler: initialising instance group: no such group`;

/**
 * Lines of executors/internal/autoscaler/provider.go: versions, text, and the causes that it shows.
 */
export const autoscalerLines: readonly (readonly [string, string, readonly DiagnosisCode[]])[] = [
  [
    '15.5 to 16.10',
    coloured('warning', 'Failed to process runner', { builds: '0', error: fleeting, ...ids }),
    ['plugin_missing'],
  ],
  [
    '15.5 to 16.10, by its bare name',
    coloured('warning', 'Failed to process runner', {
      builds: '0',
      error: `${scaling} running autoscaler plugin: exec: "fleeting-plugin-aws": executable file not found in $PATH`,
      ...ids,
    }),
    ['plugin_missing'],
  ],
  [
    '16.11 and later',
    coloured('warning', 'Failed to process runner', { builds: '0', error: unloaded, ...ids }),
    ['plugin_missing'],
  ],
  [
    '16.11 and later, json',
    json('warning', 'Failed to process runner', { builds: '0', error: unloaded, ...ids }),
    ['plugin_missing'],
  ],
  [
    '15.5 and later, a plugin that is there and refuses its settings',
    coloured('warning', 'Failed to process runner', {
      builds: '0',
      error: refusedSettings,
      ...ids,
    }),
    ['executor_broken'],
  ],
  [
    '17.x in json, of taskscaler: a group whose greatest size is reached',
    json('error', 'increasing instances failure', {
      err: 'rpc error: code = Unknown desc = increase instances: operation error Auto Scaling: SetDesiredCapacity, https response error StatusCode: 400, api error ValidationError: New SetDesiredCapacity value 1 is above max value 0 for the AutoScalingGroup.',
      group: 'aws/eu-central-1/workers',
      num_requested: '1',
      num_successful: '0',
      subsystem: 'taskscaler',
    }),
    ['workers_not_made'],
  ],
  ...[
    coloured('error', 'ready up preparation failed', {
      err: 'after retrying 10 times during 10m0s timeout: dial tcp 10.0.0.5:22: connect: connection refused',
      instance: 'i-0abc',
      subsystem: 'taskscaler',
    }),
    coloured(
      'warning',
      'Preparation failed: unable to acquire instance: context deadline exceeded',
      {
        job: '7',
      },
    ),
    coloured('error', 'Machine creation failed', { error: 'exit status 1', name: 'runner-abc-1' }),
    coloured(
      'error',
      'Error creating machine: Error checking the host: Error checking and/or regenerating the certs: There was an error validating certificates for host "10.0.0.5:2376": dial tcp 10.0.0.5:2376: i/o timeout',
      { driver: 'amazonec2', name: 'runner-abc-1', operation: 'create' },
    ),
  ].map((line) => ['workers that do not become ready', line, ['workers_not_made']] as const),
  [
    '15.5 and later, the same in json',
    json('warning', 'Failed to process runner', { builds: '0', error: refusedSettings, ...ids }),
    ['executor_broken'],
  ],
];
