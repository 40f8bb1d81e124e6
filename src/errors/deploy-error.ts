import { type ErrorCode, exitCodeOf } from '../domain/error-codes.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { lineOf, type Typed } from './fix-line.ts';

/** Exit codes of errors; README.md has the table. */
export type ExitCode = (typeof exitCodeOf)[ErrorCode];

/**
 * Form of every error for operators: what happened, the evidence, the current state, and the next
 * commands. Only the catalogue creates errors.
 */
export interface ErrorFields {
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  /** One sentence with the observed value. */
  readonly what: string;
  /** Observations, one line each; other systems are quoted verbatim. */
  readonly why?: readonly string[];
  /** The shard that accepts jobs, and the current state; the stage fills it in if absent. */
  readonly now?: string;
  /** Next commands: at most three, most likely first, ready to paste. */
  readonly fix?: readonly string[];
}

/** Error as the catalogue writes it, before the typed command is known. */
export interface WrittenError extends Omit<ErrorFields, 'exitCode' | 'fix'> {
  /** Set if it differs from the code's usual one. */
  readonly exitCode?: ExitCode;
  readonly fix?: readonly Line[];
}

const brand = Symbol.for('hosted-runner.DeployError');

export class DeployError extends Error {
  override readonly name = 'DeployError';
  readonly [brand] = true;
  readonly fields: ErrorFields;
  /** Original fields, for code that derives another error. */
  readonly written: WrittenError;

  constructor(written: WrittenError) {
    super(written.what);
    this.written = written;
    this.fields = withLines(written);
  }

  /** Returns the error for a typed command: its next commands read the same file. */
  asTyped(typed: Typed): DeployError {
    return new DeployError(withLines(this.written, typed));
  }

  get code(): ErrorCode {
    return this.fields.code;
  }

  get exitCode(): ExitCode {
    return this.fields.exitCode;
  }
}

/**
 * Returns the error for a condition that lasts until an operator acts, with exit code 3. Exit code
 * 75 would promise that a later run succeeds.
 */
export function needsOperator(error: DeployError): DeployError {
  return new DeployError({ ...error.written, exitCode: 3 });
}

function withLines({ fix, ...others }: WrittenError, typed?: Typed): ErrorFields {
  const fields = { exitCode: exitCodeOf[others.code], ...others };
  return fix === undefined ? fields : { ...fields, fix: fix.map((line) => lineOf(line, typed)) };
}

/**
 * Returns whether it is a DeployError, including one of the sandbox, whose bundle has a separate
 * class.
 */
export function isDeployError(error: unknown): error is DeployError {
  return typeof error === 'object' && error !== null && brand in error;
}
