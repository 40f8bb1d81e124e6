import type { WorldAtRest, WorldEntry, WorldHistory } from '../../src/verify/history.ts';
import type { Invariant } from '../../src/verify/judge.ts';

const resting: WorldAtRest = {
  active: 'pink-linux',
  infrastructure: ['pink-linux'],
  registrations: ['pink-linux'],
  tokens: ['pink-linux'],
  locked: false,
  canaries: 0,
  hosts: [{ of: 'pink-linux', managed: true }],
  processes: 0,
  secretFiles: [],
  phase: 'done',
};

const history: WorldHistory = {
  entries: [],
  accepting: [{ at: 0, shards: ['purple'] }],
  tokens: [],
  ownShards: ['pink-linux', 'purple-linux'],
  mayKill: false,
};

const by = (entry: Omit<WorldEntry, 'at' | 'byUs'>): WorldEntry => ({
  at: 1,
  byUs: true,
  ...entry,
});
const having = (...entries: WorldEntry[]): WorldHistory => ({ ...history, entries });
const at = (rest: Partial<WorldAtRest>): WorldHistory => ({
  ...history,
  rest: { ...resting, ...rest },
});
const fine = at({});
const started = by({ kind: 'job_started', job: '9' });

export const worldCases: readonly {
  readonly invariant: Invariant;
  readonly name: string;
  readonly good: WorldHistory;
  readonly bad: WorldHistory;
}[] = [
  {
    invariant: 'S1',
    name: 'no shard accepts jobs for a moment',
    good: {
      ...history,
      accepting: [
        { at: 0, shards: ['purple'] },
        { at: 1, shards: ['pink'] },
      ],
    },
    bad: {
      ...history,
      accepting: [
        { at: 0, shards: ['purple'] },
        { at: 1, shards: [] },
      ],
    },
  },
  {
    invariant: 'S2',
    name: 'a host is terminated under a job',
    good: having(by({ kind: 'host_terminated', of: 'purple-linux', jobs: [] })),
    bad: having(by({ kind: 'host_terminated', of: 'purple-linux', jobs: ['9'] })),
  },
  {
    invariant: 'S3',
    name: 'a job is started twice',
    good: having(started),
    bad: having(started, started),
  },
  {
    invariant: 'S3',
    name: 'hosted-runner interrupts a job',
    good: having(started),
    bad: having(started, by({ kind: 'job_interrupted_by_us', job: '9' })),
  },
  {
    invariant: 'S6',
    name: 'an apply on the active shard',
    good: having(by({ kind: 'applied', of: 'pink-linux', active: 'purple-linux' })),
    bad: having(by({ kind: 'applied', of: 'purple-linux', active: 'purple-linux' })),
  },
  {
    invariant: 'S7',
    name: 'the active shard is destroyed',
    good: having(by({ kind: 'destroyed', of: 'purple-linux', active: 'pink-linux' })),
    bad: having(by({ kind: 'destroyed', of: 'pink-linux', active: 'pink-linux' })),
  },
  {
    invariant: 'S10',
    name: 'the active shard is paused',
    good: having(by({ kind: 'intake_closed', of: 'purple-linux', active: 'pink-linux' })),
    bad: having(by({ kind: 'intake_closed', of: 'pink-linux', active: 'pink-linux' })),
  },
  {
    invariant: 'S15',
    name: 'another stack whose name begins in the same way',
    good: having(by({ kind: 'registration_removed', of: 'pink-linux' })),
    bad: having(by({ kind: 'registration_removed', of: 'pink-linux-large' })),
  },
  {
    invariant: 'O1',
    name: 'both shards are built',
    good: fine,
    bad: at({ infrastructure: ['pink-linux', 'purple-linux'] }),
  },
  {
    invariant: 'O2',
    name: 'both shards have a runner',
    good: fine,
    bad: at({ registrations: ['pink-linux', 'purple-linux'] }),
  },
  {
    invariant: 'O3',
    name: 'the old token remains',
    good: fine,
    bad: at({ tokens: ['pink-linux', 'purple-linux'] }),
  },
  { invariant: 'O4', name: 'the lock remains', good: fine, bad: at({ locked: true }) },
  { invariant: 'O5', name: 'a canary remains', good: fine, bad: at({ canaries: 1 }) },
  {
    invariant: 'O6',
    name: 'a host is in no Terraform state',
    good: fine,
    bad: at({ hosts: [{ of: 'pink-linux', managed: false }] }),
  },
  {
    invariant: 'O7',
    name: 'a secret is in a file',
    good: fine,
    bad: at({ secretFiles: ['plan.json'] }),
  },
  { invariant: 'O8', name: 'a process remains', good: fine, bad: at({ processes: 1 }) },
  { invariant: 'O9', name: 'the record is not done', good: fine, bad: at({ phase: 'drained' }) },
  {
    invariant: 'O10',
    name: 'an old manager remains',
    good: fine,
    bad: at({ hosts: [...resting.hosts, { of: 'purple-linux', managed: true }] }),
  },
  { invariant: 'L1', name: 'the goal is not reached', good: fine, bad: at({ phase: 'drained' }) },
];
