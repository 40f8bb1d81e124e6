import type { FaultMode } from './faults/fault-modes.ts';
import type { Happening } from './orders/sequences.ts';

/** Former failure that is replayed in every run: its lesson and its cause. */
export interface Kept<T> {
  readonly shows: string;
  readonly was: string;
  readonly play: T;
}

/** Failing sequences that fast-check shrank. */
export const keptSequences: readonly Kept<readonly Happening[]>[] = [
  {
    shows: 'the old shard is not paused once the host of the new one has died',
    was: 'S1: GitLab goes on saying that a runner was contacted whose host is gone',
    play: [
      { do: 'crash', at: 13 },
      { do: 'run' },
      { do: 'crash', at: 114 },
      { do: 'deed', deed: 'terminates the instance of the inactive shard' },
      { do: 'deed', deed: 'turns the status around' },
    ],
  },
];

/** Fault at the n-th or last call of this name in a run, at its current position. */
export interface NamedFault {
  /** Beginning in the form of `--scenario`, without faults. */
  readonly beginning: string;
  readonly run: number;
  readonly call: string;
  /** Number of the call: from 0, or from the last one with -1. */
  readonly nth?: number;
  readonly mode: FaultMode;
}

export const keptFaults: readonly Kept<NamedFault>[] = [
  {
    shows:
      'a candidate whose tags are missing in the last check is checked again before the switch',
    was: 'S1: purple was not verified before',
    play: {
      beginning: 'healthy/pink/fresh',
      run: 0,
      call: 'registry.find',
      nth: -3,
      mode: 'stale',
    },
  },
  {
    shows: 'a lock of a run that died after its last write is taken over when the job runs again',
    was: 'O4: the lock is left',
    play: {
      beginning: 'none/pink/fresh',
      run: 4,
      call: 'parameters.overwrite',
      mode: 'crash_after',
    },
  },
  {
    shows:
      'an activation whose proof is late does not retreat from the last shard that accepts jobs',
    was: 'S1: no shard of linux serves jobs any more, by registry.route',
    play: {
      beginning: 'onboarded/pink/edited',
      run: 1,
      call: 'canary.findNewest',
      nth: 0,
      mode: 'freeze_after',
    },
  },
  {
    shows: 'a runner that one request created twice is removed in the same run',
    was: 'O2: purple has registrations 48215, 48216',
    play: {
      beginning: 'retreating/pink/fresh',
      run: 0,
      call: 'registry.create',
      mode: 'twice_last',
    },
  },
  {
    shows: 'a plan that still sees the terminated machine does not promote on its old evidence',
    was: 'L5: promoted a shard without a host, and shutdown ended in NothingServes',
    play: {
      beginning: 'recover terminate@healthy/pink/fresh',
      run: 0,
      call: 'infrastructure.plan',
      mode: 'stale',
    },
  },
  {
    shows: 'a canary that could not be cancelled at once is cancelled a little later',
    was: 'O5: canary job 9000004 is waiting',
    play: { beginning: 'drained/pink/adopted', run: 1, call: 'canary.cancel', mode: 'unreachable' },
  },
  {
    shows:
      'a token that expires at the last step ends the run, and the next run cancels the canary',
    was: 'O5: canary job 9000004 is waiting',
    play: {
      beginning: 'drained/pink/adopted',
      run: 1,
      call: 'canary.cancel',
      mode: 'token_expired',
    },
  },
  {
    shows: 'an activation of a machine that hangs, without a status, has a recovery method',
    was: 'L1: activate and recover sent to each other for ever, as nobody retired',
    play: {
      beginning: 'none/pink/edited',
      run: 0,
      call: 'infrastructure.exists',
      nth: 0,
      mode: 'other_hangs',
    },
  },
  {
    shows: 'a drain whose credentials have expired stops, and is resumed with new ones',
    was: 'it does not end: no host answers',
    play: {
      beginning: 'destroying/pink/edited',
      run: 2,
      call: 'host.list',
      nth: 1,
      mode: 'token_expired',
    },
  },
];
