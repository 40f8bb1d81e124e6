import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { digest, type Instance } from './instance.ts';
import { notFound, Refusal } from './refusal.ts';

/** Organization's App, as its owner has it. */
export interface AppCredentials {
  readonly appId: number;
  readonly installationId: number;
  /** Key in PEM format. */
  readonly privateKey: string;
}

const appId = 12;
const installationId = 7;
const goodForMs = 3_600_000;

/** Creates a new key, which replaces the previous one. */
export function newAppKey({ state, changed }: Instance): AppCredentials {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  state.appPublicKey = publicKey;
  changed();
  return { appId, installationId, privateKey };
}

/** Creates a token for an App that proves its identity with its key. */
export function installationToken(
  instance: Instance,
  { authorization, installation }: { authorization: string | undefined; installation: string },
): { token: string; expiresAt: number } {
  const { state } = instance;
  const { appPublicKey } = state;
  const proof = authorization?.replace(/^bearer /i, '') ?? '';
  if (appPublicKey === undefined || !isSigned(proof, appPublicKey))
    throw new Refusal(401, 'A JSON web token could not be decoded');
  if (installation !== String(installationId)) throw notFound();
  const token = `ghs_${instance.random.hex(18)}`;
  const createdAt = instance.now();
  state.installationTokens.push({ digest: digest(token), createdAt });
  instance.changed();
  return { token, expiresAt: createdAt + goodForMs };
}

function isSigned(proof: string, publicKey: string): boolean {
  const [header = '', claims = '', signature = ''] = proof.split('.');
  const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`);
  return verify.verify(createPublicKey(publicKey), signature, 'base64url');
}

/**
 * Checks the caller's token. Not every server knows a new token yet: it is refused first as
 * unknown, then as one without permission (octokit/auth-app.js#65 and #589).
 */
export function authenticate(instance: Instance, authorization: string | undefined): void {
  const sent = authorization?.replace(/^(?:token|bearer) /i, '') ?? '';
  if (sent === instance.deployerToken()) return;
  const { state, windows, now } = instance;
  const known = state.installationTokens.find((one) => one.digest === digest(sent));
  const ageMs = known === undefined ? Number.POSITIVE_INFINITY : now() - known.createdAt;
  if (ageMs >= goodForMs || ageMs < windows.freshTokenMs / 2)
    throw new Refusal(401, 'Bad credentials');
  if (ageMs < windows.freshTokenMs)
    throw new Refusal(403, 'Resource not accessible by integration');
}
