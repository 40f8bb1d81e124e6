import type { Behaviour } from './behaviour.ts';

/** As prepare-runner.sh: a token that ends in the middle of a registration is none. */
const goodForMs = 55 * 60_000;

/** GitHub takes a token for registering for an hour; empty where it can still be used. */
export function whyTokenIsOld(process: Behaviour['process'], ageMs: number): string {
  if (process !== 'actions_runner' || ageMs < goodForMs) return '';
  return `the token is ${Math.floor(ageMs / 60_000)}m old and GitHub takes none after an hour; waiting for a new one (hosted-runner renew)`;
}
