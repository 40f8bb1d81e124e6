import type { DeployError } from '../../src/errors/deploy-error.ts';
import * as output from '../../src/errors/output-errors.ts';

/** Errors about output that a command could not write. */
export const outputErrors: readonly DeployError[] = [
  output.outputLost({ command: 'status', reason: 'ENOSPC' }),
  output.snapshotUnwritable({ file: 'public/index.html', reason: 'ENOENT' }),
  output.evidenceUnwritable({ file: 'reports/evidence.jsonl', reason: 'EACCES' }),
  output.recordUnwritable({ file: 'recording.jsonl', reason: 'EACCES' }),
];
