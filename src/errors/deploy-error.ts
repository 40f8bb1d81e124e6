/** DESIGN section 8. */
export type ExitCode = 1 | 2 | 3 | 75 | 130;

/**
 * The one shape of an error that a person reads: what happened, why we say so, where things stand
 * now, and the commands that come next. Made by the catalogue only.
 */
export interface ErrorFields {
  /** Heading in docs/troubleshooting.md. */
  readonly code: string;
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

const brand = Symbol.for('hosted-runner.DeployError');

export class DeployError extends Error {
  override readonly name = 'DeployError';
  readonly [brand] = true;
  readonly fields: ErrorFields;

  constructor(fields: ErrorFields) {
    super(fields.what);
    this.fields = fields;
  }

  get code(): string {
    return this.fields.code;
  }

  get exitCode(): ExitCode {
    return this.fields.exitCode;
  }
}

/** Also of the sandbox, whose bundle has a class of its own. */
export function isDeployError(error: unknown): error is DeployError {
  return typeof error === 'object' && error !== null && brand in error;
}
