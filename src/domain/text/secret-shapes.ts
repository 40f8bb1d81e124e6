/**
 * Kind of secret that is recognized by its first characters. One list covers what a configuration
 * must not contain and what no output may show: a kind missing from one of two lists would leak
 * there.
 */
export interface SecretShape {
  readonly prefix: string;
  /** Pattern of one character after the prefix. */
  readonly characters: string;
  /** Minimum number of such characters in a complete secret. */
  readonly whole: number;
  /** Number of such characters that suffices to mask a truncated secret. */
  readonly least: number;
}

const word = String.raw`[\w-]`;
const dotted = String.raw`(?:[\w-]|\.(?=[\w-]))`;
const plain = '[A-Za-z0-9]';

export const secretShapes: readonly SecretShape[] = [
  {
    prefix: 'gl(?:rtr?|pat|cbt|dt|ptt|ft|imt|agent|soat|oas|ffct|wt)-',
    characters: dotted,
    whole: 16,
    least: 1,
  },
  { prefix: 'GR1348941', characters: word, whole: 16, least: 1 },
  { prefix: 'AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]', characters: '[A-Z0-9]', whole: 16, least: 16 },
  { prefix: 'gh[oprsu]_', characters: dotted, whole: 30, least: 10 },
  { prefix: 'github_pat_', characters: String.raw`\w`, whole: 30, least: 1 },
  { prefix: 'xox[abceoprs]-|xapp-', characters: word, whole: 10, least: 10 },
  {
    prefix: String.raw`hooks\.slack\.com\/services\/`,
    characters: String.raw`[\w/]`,
    whole: 10,
    least: 10,
  },
  { prefix: String.raw`hv[bsr]\.`, characters: word, whole: 20, least: 20 },
  { prefix: String.raw`[A-Za-z0-9]{14}\.atlasv1\.`, characters: word, whole: 30, least: 10 },
  { prefix: 'dckr_pat_', characters: word, whole: 10, least: 10 },
  { prefix: 'npm_', characters: plain, whole: 30, least: 30 },
  { prefix: 'pypi-', characters: word, whole: 50, least: 50 },
  { prefix: 'AIza', characters: word, whole: 35, least: 35 },
  { prefix: '[rs]k_(?:live|test)_', characters: plain, whole: 16, least: 16 },
  { prefix: 'sk-(?:proj|ant|svcacct)-', characters: word, whole: 30, least: 20 },
  { prefix: 'hf_', characters: plain, whole: 30, least: 30 },
  { prefix: String.raw`SG\.`, characters: dotted, whole: 40, least: 40 },
  { prefix: String.raw`ya29\.`, characters: word, whole: 20, least: 20 },
  { prefix: 'glsa_', characters: String.raw`\w`, whole: 30, least: 30 },
  { prefix: 'do[opr]_v1_', characters: plain, whole: 30, least: 30 },
];

/** First line of a private key of any kind. */
export const privateKeyStart = '-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----';
export const privateKeyEnd = '-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----';

/**
 * Password in a URL, with or without a user before it; it may contain `@`. With a slash in it, it
 * is short and no port: `https://host:8443/a@b` has no password.
 */
export const urlPassword = String.raw`(?<=:\/\/[^\s/:@"'[]{0,10000}:)(?:[^\s/?#"']{1,10000}|(?!\d{1,5}[/?#])[^\s"']{1,200})(?=@)`;
/** Token in the place of a URL's user; a user name is shorter. */
export const urlToken = String.raw`(?<=:\/\/)(?=[^\s/:@"']{0,200}\d)[^\s/:@?#"']{16,10000}(?=@)`;

/** Headers whose whole value is a secret, after its scheme. */
export const secretHeaders = ['authorization', 'cookie'] as const;

/** Names before a secret without a recognizable shape, such as AWS's 40 characters of base64. */
export const secretNames = [
  'private[-_]token',
  'job[-_]token',
  'runner-token',
  'vault-token',
  'access_token',
  'client_secret',
  'x-amz-security-token',
  'x-amz-signature',
  'secret_?access_?key',
  'session_?token',
  '_gitlab_session',
] as const;

/** Endings of variable names for secrets: `PGPASSWORD`, `DATADOG_APIKEY`. */
export const passwordSuffixes = [
  'password',
  'passwd',
  'passphrase',
  '(?<=[_;])pwd',
  '(?:secret|private|access|api|app)[-_]?key',
  'secret',
] as const;
/** A short value after this word may be a state of the token: `token: refused`. */
export const tokenSuffixes = ['token'] as const;

const tokens = secretShapes.map(
  ({ prefix, characters, whole }) => String.raw`\b(?:${prefix})${characters}{${whole},}`,
);
/** Matches only after its name: an ordinary path may also have 40 such characters. */
const namedKey = String.raw`secret_?access_?key["']?\s*[:=]\s*["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`;
const webToken = String.raw`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`;

const shapes = [...tokens, namedKey, privateKeyStart, webToken, urlPassword].join('|');

export function hasSecret(text: string): boolean {
  return new RegExp(shapes).test(text);
}

/** Finds the offsets of everything in a text that resembles a secret, including comments. */
export function findSecrets(text: string): number[] {
  return [...text.matchAll(new RegExp(shapes, 'g'))].map((match) => match.index);
}
