import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  createPlanFolder,
  sweepPlanFiles,
  writePlanFile,
} from '../../../src/adapters/terraform/plan-file.ts';
import type { ProcessTable } from '../../../src/ports/run.ts';

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'killed-plan-'));
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

const processesWhere = (word: 'alive' | 'dead' | 'unknown') =>
  ({ self: 'host/1234', isAlive: () => word }) as unknown as ProcessTable;

/** Leaves a plan like a run that was killed before its end. */
async function leavePlan(): Promise<string> {
  const path = await createPlanFolder({ dataDirectory }, processesWhere('alive'));
  await writePlanFile(path, { bytes: Buffer.from('secrets in clear'), digest: '' });
  return path;
}

test('a saved plan is readable for its owner only', async () => {
  const path = await leavePlan();
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a run removes the saved plan of an earlier run that was killed', async () => {
  const path = await leavePlan();
  await sweepPlanFiles({ dataDirectory }, processesWhere('dead'));
  expect(existsSync(dirname(path))).toBe(false);
});

test.each(['alive', 'unknown'] as const)(
  'a run keeps the saved plan of a run that is %s',
  async (word) => {
    const path = await leavePlan();
    await sweepPlanFiles({ dataDirectory }, processesWhere(word));
    expect(existsSync(path)).toBe(true);
  },
);
