import { expect, test } from '@jest/globals';
import type { StageContext } from '../../src/stages/context/context.ts';
import { cancelLeftoverCanaries } from '../../src/stages/run/cancel-leftover-canaries.ts';

test('a canary that is not cancelled in time causes one warning, even if its call is cut off later', async () => {
  const warned: string[] = [];
  let cutOff: (error: Error) => void = () => {};
  const context = {
    stage: 'provision',
    settings: { canary: { kind: 'job' } },
    journal: { version: () => 0 },
    ports: {
      clock: { elapsed: () => 0, sleep: () => Promise.resolve() },
      canary: {
        cancel: () =>
          new Promise((_, reject) => {
            cutOff = reject;
          }),
      },
    },
    log: { warn: (text: string) => warned.push(text) },
  } as unknown as StageContext;
  const expected = [
    'A canary job may still be waiting for the candidate: it was not canceled in time.',
  ];
  await cancelLeftoverCanaries(context, { isLockHeld: true, isCancelled: true });
  expect(warned).toEqual(expected);
  cutOff(new Error('the command has ended'));
  await new Promise(setImmediate);
  expect(warned).toEqual(expected);
});
