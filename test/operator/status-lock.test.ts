import { expect, test } from '@jest/globals';
import { headline } from '../../src/cli/terminal/status-view.ts';
import type { LockOwner } from '../../src/domain/deployment/lock/lock-owner.ts';
import { formatLockEntry } from '../../src/stages/record/lock/lock-entry.ts';
import { rested } from '../broken-stacks/state.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { parametersOf } from '../fakes/world/shards.ts';
import type { ProcessState, World } from '../fakes/world/world.ts';
import { asTyped } from '../support/typing.ts';
import { examine, reportOf, type Surroundings, stackOf, type } from './doctor/examine.ts';

const owner = { since: '2026-11-02T08:13:20.000Z', process: 'elsewhere' };
const ofCi = { ...owner, deployment: '1-200', job: 'provision', by: 'anna', host: 'build-7' };
const ofTerminal = { ...owner, deployment: 't-9', job: 'elsewhere', by: 'kim@desk' };

function entryOf(owner: LockOwner): string {
  const seen = { version: 0, last: '', owner: undefined, record: 0 };
  return formatLockEntry({ kind: 'acquire', log: 'n', nonce: 'n', owner, seen });
}

function lockedBy(who: LockOwner, job: 'running' | 'finished' = 'finished'): Promise<World> {
  return rested((world) => {
    const { lock } = parametersOf(stackOf(world));
    putParameter(world, { name: lock, value: entryOf(who) });
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['provision'] = job;
  });
}

/** Locks the stack by a process of this machine, like a second run at the same terminal. */
async function lockedHere(process: Pick<ProcessState, 'pid' | 'isStopped'>): Promise<World> {
  const world = await lockedBy({ ...ofTerminal, process: 'here', job: 'here' });
  world.processes['here'] = { machine: 'desk', alive: true, ...process };
  return world;
}

const atDesk: Surroundings = { drive: { machine: 'desk' } };

const noResponse: Surroundings = {
  intercept: ({ port }) =>
    port === 'pipelines' ? { kind: 'error_before', failure: 'unavailable' } : undefined,
};

interface Row {
  readonly how: string;
  readonly build: () => Promise<World>;
  readonly surroundings?: Surroundings;
  readonly state: string;
  readonly output: RegExp;
  /** Whether only an operator can confirm the owner's end. */
  readonly byHand: boolean;
}

const rows: readonly Row[] = [
  {
    how: 'runs if its job runs',
    build: () => lockedBy(ofCi, 'running'),
    state: 'at_work',
    output:
      /^ {2}Locked by anna on build-7 \(job provision of deployment 1-200, since 2026-11-02 08:13 UTC\)\. Job provision runs$/,
    byHand: false,
  },
  {
    how: 'has ended if its job has ended',
    build: () => lockedBy(ofCi),
    state: 'ended',
    output: /^ {2}Locked by anna on build-7 \(.+\. The next command takes the lock over$/,
    byHand: false,
  },
  {
    how: 'is unknown if no source can be queried',
    build: () => lockedBy(ofTerminal),
    state: 'not_known',
    output:
      /^ {2}Locked by kim@desk \(at a terminal, since 2026-11-02 08:13 UTC\)\. .+\. It is unknown whether the lock holder is running$/,
    byHand: true,
  },
  {
    how: 'runs if its process runs on this machine, and the report has its number',
    build: () => lockedHere({ pid: 4711 }),
    surroundings: atDesk,
    state: 'at_work',
    output:
      /^ {2}Locked by kim@desk \(.+\)\. Process 4711 of the holder is running on this machine$/,
    byHand: false,
  },
  {
    how: 'runs but is stopped if its process is stopped',
    build: () => lockedHere({ pid: 4711, isStopped: true }),
    surroundings: atDesk,
    state: 'at_work',
    output:
      /^ {2}Locked by kim@desk \(.+\)\. Process 4711 of the holder, on this machine, is suspended \(Ctrl-Z\)\. To resume this run: `fg` in its terminal, or `kill -CONT 4711`$/,
    byHand: false,
  },
  {
    how: 'is unknown if its CI does not respond',
    build: () => lockedBy(ofCi, 'running'),
    surroundings: noResponse,
    state: 'not_known',
    output: /\. It is unknown whether the lock holder is running$/,
    byHand: false,
  },
];

// `doctor` prints `--take-lock` only if no source except an operator can confirm the owner's end.
test.each(rows)(
  'the owner of a lock $how',
  async ({ build, surroundings, state, output, byHand }) => {
    const world = await build();
    const report = await reportOf(world, surroundings);
    expect(report.lock).toMatchObject({ state, since: '2026-11-02T08:13:20.000Z' });
    expect(headline(report).find((line) => line.includes('Locked'))).toMatch(output);
    const { findings } = await examine(world, surroundings);
    const commands = findings.flatMap((one) => asTyped(one.commands));
    expect(commands.some((line) => line.includes('--take-lock'))).toBe(byHand);
  },
);

test('a stopped lock holder is reported with the command that resumes it, and --take-lock is refused', async () => {
  const world = await lockedHere({ pid: 4711, isStopped: true });
  const { findings } = await examine(world, atDesk);
  expect(findings.map(({ code, byHand }) => [code, byHand])).toEqual([
    ['lock_alive', 'Resume that run: `fg` in its terminal, or `kill -CONT 4711`'],
  ]);
  const ending = await type(world, 'hosted-runner finalize --runner linux --take-lock', atDesk);
  const { what, why, fix } = ending.kind === 'error' ? ending.error.fields : ({} as never);
  expect(what).toBe('Another run holds the lock of linux, and --take-lock was refused.');
  expect(why).toEqual([
    'Lock holder: kim@desk (at a terminal, since 2026-11-02 08:13 UTC). Process 4711 of the holder, on this machine, is suspended (Ctrl-Z).',
    '--take-lock is only for a run that may have ended. That run is only suspended.',
  ]);
  expect(fix?.[0]).toBe('Resume that run: `fg` in its terminal, or `kill -CONT 4711`.');
});
