import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isProvenDead } from '../../src/adapters/terraform/tfstate/state-lock.ts';
import type { Workplace } from '../../src/adapters/terraform/workplace.ts';
import type { ProcessTable } from '../../src/ports/run.ts';

let dataDirectory: string;
beforeAll(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'whose-lock-'));
});
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const at = (time: string) => Date.parse(`2026-11-21T03:${time}.000Z`);
const holder = { process: 'host/1234', startedAt: at('15:00'), heldAt: at('15:30') };

async function isOwnLock(
  time: string,
  { note = holder, word = 'dead' }: { note?: unknown; word?: 'alive' | 'dead' | 'unknown' } = {},
) {
  writeFileSync(join(dataDirectory, 'holder.json'), JSON.stringify(note));
  const lock = {
    id: 'x',
    owner: {
      who: 'somebody',
      since: `2026-11-21 03:${time}.887006 +0000 UTC`,
      operation: 'apply',
    },
    reason: '',
  };
  const processes = { isAlive: () => word } as unknown as ProcessTable;
  return isProvenDead({ dataDirectory } as Workplace, lock, processes);
}

describe('a state lock that is broken', () => {
  test('belongs to a Terraform process of an earlier run that has ended', async () => {
    expect(await isOwnLock('15:10')).toBe(true);
  });
});

describe('a state lock that stays', () => {
  test('started later than the note: another run took it since', async () => {
    expect(await isOwnLock('15:31')).toBe(false);
    expect(await isOwnLock('59:00')).toBe(false);
  });

  test('started earlier than the note', async () => {
    expect(await isOwnLock('14:50')).toBe(false);
  });

  test.each(['alive', 'unknown'] as const)('belongs to a process that is %s', async (word) => {
    expect(await isOwnLock('15:10', { word })).toBe(false);
  });

  test.each([
    ['is empty', {}],
    ['is not an object', 7],
    ['has no time', { ...holder, heldAt: 'now' }],
  ])('keeps its owner if the note %s', async (_, note) => {
    expect(await isOwnLock('15:10', { note })).toBe(false);
  });
});
