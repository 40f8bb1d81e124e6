import { DeployError } from './deploy-error.ts';

/** What a command prints could not be printed; the command itself ended well. */
export function outputLost({ command, reason }: { command: string; reason: string }): DeployError {
  return new DeployError({
    code: 'OutputLost',
    what: `What ${command} printed is not whole: standard output cannot be written (${reason}).`,
    now: `The command itself ended well.`,
    fix: ['Make room, or send its output elsewhere, then run it again: it finds what is done.'],
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
    fix: ['Name a file in a folder that is there: --once FILE'],
  });
}

export function evidenceUnwritable({ file, reason }: Unwritable): DeployError {
  return new DeployError({
    code: 'EvidenceUnwritable',
    what: `The evidence cannot be written to ${file} (${reason}).`,
    now: 'Nothing was touched.',
    fix: [
      'Name a file that can be written: --evidence-file FILE',
      'The one among the reports is in their folder: --report-dir FOLDER',
    ],
  });
}

export function recordUnwritable({ file, reason }: Unwritable): DeployError {
  return new DeployError({
    code: 'RecordUnwritable',
    what: `The recording cannot be written to ${file} (${reason}).`,
    now: 'Nothing was touched.',
    fix: [
      'Name a file that can be written: export HOSTED_RUNNER_RECORD=FILE',
      'Or record nothing: unset HOSTED_RUNNER_RECORD',
    ],
  });
}
