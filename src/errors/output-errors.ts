import { DeployError } from './deploy-error.ts';

/** The output of a command could not be printed; the command itself succeeded. */
export function outputLost({ command, reason }: { command: string; reason: string }): DeployError {
  return new DeployError({
    code: 'OutputLost',
    what: `The output of ${command} is incomplete: standard output could not be written (${reason}).`,
    now: `The command itself succeeded.`,
    fix: [
      'Free disk space or redirect the output, then run it again: completed work is not repeated.',
    ],
  });
}

interface Unwritable {
  readonly file: string;
  readonly reason: string;
}

export function snapshotUnwritable({ file, reason }: Unwritable): DeployError {
  return new DeployError({
    code: 'SnapshotUnwritable',
    what: `The dashboard cannot be written to ${file} (${reason}).`,
    now: 'Nothing was touched.',
    fix: ['Name a file in an existing folder: --once FILE'],
  });
}

export function evidenceUnwritable({ file, reason }: Unwritable): DeployError {
  return new DeployError({
    code: 'EvidenceUnwritable',
    what: `The evidence cannot be written to ${file} (${reason}).`,
    now: 'Nothing was touched.',
    fix: [
      'Name a writable file: --evidence-file FILE',
      'Or name another folder for the reports, which include the evidence: --report-dir FOLDER',
    ],
  });
}

export function recordUnwritable({ file, reason }: Unwritable): DeployError {
  return new DeployError({
    code: 'RecordUnwritable',
    what: `The recording cannot be written to ${file} (${reason}).`,
    now: 'Nothing was touched.',
    fix: [
      'Name a writable file: export HOSTED_RUNNER_RECORD=FILE',
      'Or disable the recording: unset HOSTED_RUNNER_RECORD',
    ],
  });
}
