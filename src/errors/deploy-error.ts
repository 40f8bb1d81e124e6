import { type ErrorCode, exitCodeOf } from '../domain/error-codes.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { lineOf, type Typed } from './fix-line.ts';

/** Failed, refused before anything was done, a person decides, not yet, cancelled; README.md has the table. */
export type ExitCode = (typeof exitCodeOf)[ErrorCode];

/**
 * The one shape of an error that a person reads: what happened, why we say so, where things stand
 * now, and the commands that come next. Made by the catalogue only.
 */
export interface ErrorFields {
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  /** One sentence with the value seen. */
  readonly what: string;
  /** What was observed, the other system's own words quoted; lines. */
  readonly why?: readonly string[];
  /** Which shard serves and what was left behind; the stage fills it in where it is absent. */
  readonly now?: string;
  /** At most three, most likely first, ready to paste. */
  readonly fix?: readonly string[];
}

/** An error as the catalogue writes it: what was typed is not known there. */
export interface WrittenError extends Omit<ErrorFields, 'exitCode' | 'fix'> {
  /** Where it is not the code's usual one. */
  readonly exitCode?: ExitCode;
  readonly fix?: readonly Line[];
}

const brand = Symbol.for('hosted-runner.DeployError');

export class DeployError extends Error {
  override readonly name = 'DeployError';
  readonly [brand] = true;
  readonly fields: ErrorFields;
  /** For who makes another one of it. */
  readonly written: WrittenError;

  constructor(written: WrittenError) {
    super(written.what);
    this.written = written;
    this.fields = withLines(written);
  }

  /** The same for whoever has typed this: the commands that come next read the same file. */
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

/** The same for a condition that lasts until an operator acts: exit code 75 promises that a later run passes. */
export function needsOperator(error: DeployError): DeployError {
  return new DeployError({ ...error.written, exitCode: 3 });
}

function withLines({ fix, ...others }: WrittenError, typed?: Typed): ErrorFields {
  const fields = { exitCode: exitCodeOf[others.code], ...others };
  return fix === undefined ? fields : { ...fields, fix: fix.map((line) => lineOf(line, typed)) };
}

/** Also of the sandbox, whose bundle has a class of its own. */
export function isDeployError(error: unknown): error is DeployError {
  return typeof error === 'object' && error !== null && brand in error;
}
