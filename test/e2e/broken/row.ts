import type { SandboxOptions } from '../../../sandbox/options.ts';
import type { Patient } from './patient.ts';

/**
 * A stack of `test/broken-stacks/broken-stacks.ts`, by its name there, built for real. What doctor has to say of it
 * and how it ends is written there once, for virtual time and for the sandbox.
 */
export interface Row<P extends Patient = Patient> {
  readonly name: string;
  readonly spoil: (patient: P) => void | Promise<void>;
  /** What a person does when doctor says so. */
  readonly byHand?: (patient: P) => void | Promise<void>;
  /** The CI's job that doctor runs in, until a person has done the above. */
  readonly env?: (patient: P) => Readonly<Record<string, string>>;
  /** Whose jobs nobody serves for a while because of what was done by hand, or who lose them by it. */
  readonly customers?: 'wait' | 'are_away';
  readonly options?: Partial<SandboxOptions>;
  /** Keys of the configuration for the commands that heal. */
  readonly set?: readonly string[];
  /** What else has to be true in the end. */
  readonly also?: (patient: P) => void | Promise<void>;
}
