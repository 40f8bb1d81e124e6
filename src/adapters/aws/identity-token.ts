import { parseJson } from '../../domain/text/json.ts';
import type { TokenClaims } from '../../ports/failure.ts';
import { sanitizeLine } from '../transport/words/sanitize.ts';

/**
 * Longest subject that STS accepts:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
const longestClaim = 1000;

/**
 * Reads the claims of a CI's identity token that a trust policy checks. They are no secret. STS
 * checks the signature. Undefined if the text is no JWT.
 */
export function readClaims(token: string): TokenClaims | undefined {
  const [, payload = ''] = token.split('.');
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { iss, sub, aud } = claims as { iss?: unknown; sub?: unknown; aud?: unknown };
  return {
    issuer: readText(iss),
    subject: readText(sub),
    audiences: [aud].flat().flatMap((one) => readText(one) ?? []),
  };
}

/** A claim contains the name of a branch, which any contributor can choose. */
function readText(claim: unknown): string | undefined {
  return typeof claim === 'string' ? sanitizeLine(claim, longestClaim) : undefined;
}
