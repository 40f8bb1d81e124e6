import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import type { Program } from '../../src/app/process-program.ts';
import { openReporting } from '../../src/app/run-ending.ts';
import { asDeployError } from '../../src/errors/external-errors.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const secret = 'a-token-that-was-made-at-the-end';

test('no report file contains a secret that was registered after its line was collected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-redacted-'));
  const redactor = createRedactor();
  const published: string[] = [];
  const program: Partial<Program> = {
    clock: createVirtualClock(),
    environment: {},
    redactor,
    showError: (text) => published.push(text),
    publish: async (report) => void published.push(JSON.stringify(report)),
  };
  const reporting = openReporting(program as Program, folder);
  const failure = new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: 'GitLab PUT /runners/1',
    detail: `it said ${secret}`,
  });
  const error = asDeployError(failure, `hosted-runner onboard --set x=${secret}`);
  redactor.add(secret);
  await reporting.finish({ stage: 'onboard', runner: 'linux', error });
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  expect(files.length).toBeGreaterThan(1);
  expect(files.join('\n')).toContain('[MASKED]');
  expect([...files, ...published].join('\n')).not.toContain(secret);
});
