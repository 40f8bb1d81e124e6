import { expect, test } from '@jest/globals';
import { headline } from '../../src/cli/terminal/status.ts';
import type { LockOwner } from '../../src/domain/deployment/lock/lock.ts';
import { formatEntry } from '../../src/stages/record/lock/lock-entry.ts';
import { rested } from '../broken-stacks/state.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { parametersOf } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import { asTyped } from '../support/typing.ts';
import { examine, reportOf, type Surroundings, stackOf } from './doctor/examine.ts';

const owner = { since: '2026-11-02T08:13:20.000Z', process: 'elsewhere' };
const ofCi = { ...owner, deployment: '1-200', job: 'provision', by: 'anna', host: 'build-7' };
const ofTerminal = { ...owner, deployment: 't-9', job: 'elsewhere', by: 'kim@desk' };

function entryOf(owner: LockOwner): string {
  const seen = { version: 0, last: '', owner: undefined, record: 0 };
  return formatEntry({ kind: 'acquire', log: 'n', nonce: 'n', owner, seen });
}

function lockedBy(who: LockOwner, job: 'running' | 'finished' = 'finished'): Promise<World> {
  return rested((world) => {
    const { lock } = parametersOf(stackOf(world));
    putParameter(world, { name: lock, value: entryOf(who) });
    const pipeline = world.pipelines['1-200'];
    if (pipeline !== undefined) pipeline.jobs['provision'] = job;
  });
}

const silent: Surroundings = {
  intercept: ({ port }) =>
    port === 'pipelines' ? { kind: 'error_before', failure: 'unavailable' } : undefined,
};

interface Row {
  readonly how: string;
  readonly build: () => Promise<World>;
  readonly surroundings?: Surroundings;
  readonly state: string;
  readonly said: RegExp;
  /** Whether only a person can say. */
  readonly byHand: boolean;
}

const rows: readonly Row[] = [
  {
    how: 'is at work, where its job runs',
    build: () => lockedBy(ofCi, 'running'),
    state: 'at_work',
    said: /^ {2}Locked by anna on build-7, job provision of deployment 1-200, since 2026-11-02 08:13 UTC: .+; it is at work$/,
    byHand: false,
  },
  {
    how: 'has ended, where its job is over',
    build: () => lockedBy(ofCi),
    state: 'ended',
    said: /^ {2}Locked by anna on build-7, .+; the next command takes it over$/,
    byHand: false,
  },
  {
    how: 'is not known, where nobody can be asked after it',
    build: () => lockedBy(ofTerminal),
    state: 'not_known',
    said: /^ {2}Locked by kim@desk, at a terminal, since 2026-11-02 08:13 UTC: .+; whether it is at work is not known$/,
    byHand: true,
  },
  {
    how: 'is not known, where its CI does not answer',
    build: () => lockedBy(ofCi, 'running'),
    surroundings: silent,
    state: 'not_known',
    said: /; whether it is at work is not known$/,
    byHand: false,
  },
];

// Only where nobody but a person can say does doctor name what a person's word is for.
test.each(rows)(
  'the owner of a lock $how',
  async ({ build, surroundings, state, said, byHand }) => {
    const world = await build();
    const report = await reportOf(world, surroundings);
    expect(report.lock).toMatchObject({ state, since: '2026-11-02T08:13:20.000Z' });
    expect(headline(report).find((line) => line.includes('Locked'))).toMatch(said);
    const { findings } = await examine(world, surroundings);
    const commands = findings.flatMap((one) => asTyped(one.commands));
    expect(commands.some((line) => line.includes('--take-lock'))).toBe(byHand);
  },
);
