import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import type { Program } from '../../src/app/process-program.ts';
import { openReporting } from '../../src/app/run-ending.ts';

// With --json, the result is the last line of standard output, and the report follows it.
test('a report that cannot be written causes a line on standard error, and no failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const file = join(folder, 'taken');
  writeFileSync(file, '');
  const written: string[] = [];
  const errors: string[] = [];
  const program: Partial<Program> = {
    clock: createSystemClock(),
    environment: {},
    redactor: createRedactor(),
    write: (text) => written.push(text),
    show: (text) => written.push(text),
    showError: (text) => errors.push(text),
  };
  await openReporting(program as Program, file).finish({ stage: 'health', runner: 'linux' });
  rmSync(folder, { recursive: true, force: true });
  expect(written).toEqual([]);
  expect(errors).toEqual([expect.stringMatching(/^! Could not write the report: .*ENOTDIR.*\n$/)]);
});
