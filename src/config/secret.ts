import { privateKeyStart, secretShapes, urlPassword } from '../domain/text/secret-shapes.ts';

const tokens = secretShapes.map(
  ({ prefix, characters, whole }) => String.raw`\b(?:${prefix})${characters}{${whole},}`,
);
/** Only behind its name: an ordinary path may have 40 such characters, too. */
const namedKey = String.raw`secret_?access_?key["']?\s*[:=]\s*["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`;
const webToken = String.raw`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`;

const shapes = [...tokens, namedKey, privateKeyStart, webToken, urlPassword].join('|');

export function looksSecret(text: string): boolean {
  return new RegExp(shapes).test(text);
}

/** Offsets of everything in a text that looks like a secret, comments included. */
export function findSecrets(text: string): number[] {
  return [...text.matchAll(new RegExp(shapes, 'g'))].map((match) => match.index);
}
