/** The command that every error of these tests ends with. */
export const again = 'hosted-runner cleanup --runner linux';

/** Result of a refusal: the error, and how often the call is sent. */
export interface Outcome {
  readonly error: string;
  readonly exitCode: number;
  /** Effect of a write. A read changes nothing. */
  readonly effect: 'none' | 'unknown';
  readonly sent: 'once' | 'again' | 'again if it reads';
  readonly fix: RegExp;
}

export const permission: Outcome = {
  error: 'PermissionMissing',
  exitCode: 1,
  effect: 'none',
  sent: 'once',
  fix: /^Grant the permission named above/,
};
export const keysRefused: Outcome = {
  error: 'CredentialsRefused',
  exitCode: 1,
  effect: 'none',
  sent: 'once',
  fix: /^Renew the AWS credentials/,
};
export const clock: Outcome = { ...keysRefused, fix: /^Correct the clock/ };
export const rate: Outcome = {
  error: 'Throttled',
  exitCode: 75,
  effect: 'none',
  sent: 'again',
  fix: /^Wait for the time named above/,
};
export const outage: Outcome = {
  error: 'Unavailable',
  exitCode: 75,
  effect: 'unknown',
  sent: 'again if it reads',
  fix: /^Run it again: hosted-runner cleanup/,
};
export const refused: Outcome = {
  error: 'Refused',
  exitCode: 1,
  effect: 'none',
  sent: 'once',
  fix: /^Fix the cause named above/,
};
export const noResponse: Outcome = {
  error: 'Unreachable',
  exitCode: 1,
  effect: 'unknown',
  sent: 'again if it reads',
  fix: /^Check the address and the network/,
};
