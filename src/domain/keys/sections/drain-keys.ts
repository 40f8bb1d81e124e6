import { key } from '../key.ts';
import { duration, durationOrNone } from '../values.ts';

export const drainKeys = {
  timeoutMs: key('drain.timeout', durationOrNone({ min: '1s', max: '30d' }), {
    default: 'none',
    description:
      'After this the stage ends in an error that lists the jobs, and the shard goes on draining. Nothing is destroyed.',
    pipeline: true,
  }),
  forceAfterMs: key('drain.force_after', durationOrNone({ min: '30s', max: '30d' }), {
    default: 'none',
    description: 'After this the jobs that still run are killed.',
    pipeline: true,
  }),
  notifyAfterMs: key('drain.notify_after', durationOrNone({ min: '1s', max: '30d' }), {
    default: 'none',
    description:
      'After this a warning lists the jobs that still run, once in each run of a stage. The drain continues.',
  }),
  pollOfRunnerMs: key('drain.poll_of_runner', duration({ min: '100ms', max: '1h' }), {
    description:
      'Longer than one poll of the runner: its check_interval, or the 50s of a long poll. With runners github longer than the 60s after which GitHub gives a job once more.',
    otherwise: '55s; 90s with runners github',
  }),
  confirmationMs: key('drain.confirmation', duration({ min: '100ms', max: '1d' }), {
    default: '2m',
    description: 'How long GitLab alone has to say idle where the host cannot be asked.',
  }),
  pollMs: key('drain.poll', duration({ min: '100ms', max: '5m' }), {
    default: '1500ms',
    description:
      'The shortest interval between two polls of GitLab where no host can wait for the end of a job. The interval grows to 15s with the time, and to 60s if the usual end of a job is not near.',
  }),
  servicePollMs: key('drain.service_poll', duration({ min: '100ms', max: '10m' }), {
    default: '1m',
    description:
      'How often the shard that stays is asked whether it serves while the other one is closed. Where it does not, the other one is opened again: the longest time without a runner is this, 5s, and one check; 30s more if a host of the closed shard has stopped responding.',
  }),
};
