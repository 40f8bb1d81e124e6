import { expect, test } from '@jest/globals';
import { causeOf } from '../../../src/adapters/terraform/causes.ts';
import {
  type Diagnostic,
  readDiagnostic,
  readTextDiagnostics,
} from '../../../src/adapters/terraform/diagnostics.ts';
import { findLock } from '../../../src/adapters/terraform/tfstate/lock.ts';

function diagnosticOf(detail: string): Diagnostic {
  const diagnostic = { severity: 'error', summary: 'Error acquiring the state lock', detail };
  const read = readDiagnostic({ type: 'diagnostic', diagnostic });
  if (read === undefined) throw new Error('it is a diagnostic');
  return read;
}

/** Processor time, because a wait for the processor is nobody's work. */
function measureMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

// A provider quotes a response in its error, and AWS or a backend wrote that.
test.each(['\n', '\t', ' ', 'Lock Info:\nID: ', 'MaxSpot', 'failed to refresh cached credentials'])(
  'the cause of errors with a text of 1 MB of %j is found in less than a second',
  (piece) => {
    const detail = `${piece}${(piece.at(-1) === ' ' ? ' ' : piece).repeat(1e6 / piece.length)}x`;
    const many = Array.from({ length: 20 }, () => diagnosticOf(detail));
    expect(
      measureMs(() => {
        findLock(many);
        causeOf(many);
      }),
    ).toBeLessThan(1000);
  },
);

test('of a million errors without JSON the first 200 are read', () => {
  expect(readTextDiagnostics('Error: a\n'.repeat(1e6))).toHaveLength(200);
});
