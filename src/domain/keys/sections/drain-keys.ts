import { key } from '../key.ts';
import { duration, durationOrNone } from '../values.ts';

export const drainKeys = {
  timeoutMs: key('drain.timeout', durationOrNone({ min: '1s', max: '30d' }), {
    default: 'none',
    description:
      'Time after which the stage fails and lists the jobs. The shard continues to drain, and nothing is destroyed.',
    pipeline: true,
  }),
  forceAfterMs: key('drain.force_after', durationOrNone({ min: '30s', max: '30d' }), {
    default: 'none',
    description: 'Time after which the drain kills the jobs that still run.',
    pipeline: true,
  }),
  notifyAfterMs: key('drain.notify_after', durationOrNone({ min: '1s', max: '30d' }), {
    default: 'none',
    description:
      'Time after which a warning lists the running jobs, once in each run of a stage. The drain continues.',
  }),
  pollOfRunnerMs: key('drain.poll_of_runner', duration({ min: '100ms', max: '1h' }), {
    description:
      'Time for which all hosts must report no job. It must exceed one poll of the runner: its check_interval, 50s with long polling, or 60s with runners github.',
    otherwise: '55s, or 90s with runners github',
  }),
  confirmationMs: key('drain.confirmation', duration({ min: '100ms', max: '1d' }), {
    default: '2m',
    description:
      'Time for which GitLab must report a runner as idle if hosted-runner cannot check its host.',
  }),
  pollMs: key('drain.poll', duration({ min: '100ms', max: '5m' }), {
    default: '1500ms',
    description:
      'Shortest interval between polls of GitLab if no host can report the end of a job. The interval grows to 15s, or to 60s while no job is near its usual duration.',
  }),
  servicePollMs: key('drain.service_poll', duration({ min: '100ms', max: '10m' }), {
    default: '1m',
    description:
      'Interval at which hosted-runner checks, while the old shard is paused, whether the new shard accepts jobs. The longest time without a runner is this interval, plus 5s, plus the duration of one check (plus 30s if a host of the paused shard stopped responding).',
  }),
};
