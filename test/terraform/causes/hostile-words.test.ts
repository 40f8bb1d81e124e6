import { expect, test } from '@jest/globals';
import {
  type Diagnostic,
  readDiagnostic,
  readTextDiagnostics,
} from '../../../src/adapters/terraform/diagnostics.ts';
import { causeOf } from '../../../src/adapters/terraform/failure-patterns.ts';
import { findLock } from '../../../src/adapters/terraform/tfstate/state-lock.ts';
import { slowGrowth } from '../../support/growth.ts';

function diagnosticOf(detail: string): Diagnostic {
  const diagnostic = { severity: 'error', summary: 'Error acquiring the state lock', detail };
  const read = readDiagnostic({ type: 'diagnostic', diagnostic });
  if (read === undefined) throw new Error('it is a diagnostic');
  return read;
}

// A provider's error quotes a response of AWS or a backend.
test.each(['\n', '\t', ' ', 'Lock Info:\nID: ', 'MaxSpot', 'failed to refresh cached credentials'])(
  'the time to find the cause of errors with a text of %j grows no faster than the text',
  (piece) => {
    const growth = slowGrowth(
      (detail) => {
        const diagnostics = [diagnosticOf(detail)];
        findLock(diagnostics);
        causeOf(diagnostics);
      },
      (length) => `${piece}${(piece.at(-1) === ' ' ? ' ' : piece).repeat(length / piece.length)}x`,
      3000,
    );
    expect(growth).toBeUndefined();
  },
);

test('the parser reads the first 200 of a million errors without JSON', () => {
  expect(readTextDiagnostics('Error: a\n'.repeat(1e6))).toHaveLength(200);
});
