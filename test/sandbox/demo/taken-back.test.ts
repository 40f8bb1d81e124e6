import { expect, test } from '@jest/globals';
import { type Customers, tryAgain } from '../../../sandbox/demo/run/auto-rollback.ts';

const minute = 60_000;

/** Customers with jobs of these numbers that the runner has failed; each look of theirs is one of these. */
async function customersOf(
  looks: readonly { isAsked: boolean; isWaiting?: true }[],
  numbers = [1, 2],
) {
  const failed = { isOver: true, failureReason: 'runner_system_failure', runnerId: 1 } as const;
  // GitLab counts its wait until its runner has confirmed it.
  const waiting = { id: 99, status: 'pending', failureReason: null, runnerId: 1 } as const;
  const jobs = numbers.map((number, index) => ({
    number,
    ciJobId: index,
    kind: 'short' as const,
    stream: 'deployments' as const,
    submittedAt: 0,
  }));
  // Its runner has not begun it.
  jobs.push({ number: 99, ciJobId: 99, kind: 'short', stream: 'deployments', submittedAt: 0 });
  const told: string[] = [];
  let at = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(new Error('ended'));
  });
  const customers = {
    ciServer: {
      jobs: () => [
        ...numbers.map((_, id) => ({ id, ...failed })),
        ...(looks[at]?.isWaiting === true ? [waiting] : []),
      ],
    },
    stream: {
      jobs,
      again: (number: number) => {
        told.push(`again ${number}`);
        jobs.splice(0, 1);
      },
      pause: () => undefined,
      rush: () => undefined,
    },
    sandbox: {
      clock: { advance: (ms: number) => void told.push(`${ms / minute} minute`) },
      fleet: { list: () => [{ id: 'i-1' }, { id: 'i-2' }] },
      commands: { areUnderWay: (id: string) => id === 'i-2' && looks[at]?.isAsked === true },
    },
    program: {
      signal: new AbortController().signal,
      clock: {
        now: () => 0,
        elapsed: () => 0,
        sleep: async () => {
          told.push('looks again');
          at += 1;
          if (at === looks.length) end();
        },
      },
    },
    summary: { moments: [] },
  } as unknown as Customers;
  return { failed: await tryAgain(customers, { ended }), told };
}

test('several faults of one look are one minute, so that no command outlasts its limit', async () => {
  const { told } = await customersOf([{ isAsked: false }]);
  expect(told).toEqual(['again 1', 'again 2', '1 minute', 'looks again']);
});

test('a minute is waited with while a host is asked, however slowly it answers', async () => {
  const looks = [{ isAsked: true }, { isAsked: true }, { isAsked: false }, { isAsked: false }];
  const { told } = await customersOf(looks);
  expect(told).toEqual([
    'again 1',
    'again 2',
    'looks again',
    'looks again',
    '1 minute',
    'looks again',
    'looks again',
  ]);
});

test('a job that fails twice is one job, as in the summary', async () => {
  const { failed, told } = await customersOf([{ isAsked: true }], [1, 1, 2]);
  expect({ failed, told }).toEqual({
    failed: 2,
    told: ['again 1', 'again 1', 'again 2', 'looks again'],
  });
});

test('a minute is waited with while a job of a customer waits: GitLab would report it as its wait', async () => {
  const looks = [
    { isAsked: false, isWaiting: true },
    { isAsked: false, isWaiting: true },
    { isAsked: false },
  ] as const;
  const { told } = await customersOf(looks);
  expect(told).toEqual([
    'again 1',
    'again 2',
    'looks again',
    'looks again',
    '1 minute',
    'looks again',
  ]);
});
