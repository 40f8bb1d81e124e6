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

export class DeployError extends Error {
  override readonly name = 'DeployError';
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
