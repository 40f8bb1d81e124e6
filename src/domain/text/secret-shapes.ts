/**
 * A kind of secret that is known by its first characters. One list for what a configuration may not
 * hold and for what no output may show: a kind that one of them lacked would pass there.
 */
export interface SecretShape {
  readonly prefix: string;
  /** Pattern of one character behind the prefix. */
  readonly characters: string;
  /** How many of them a whole secret has at least. */
  readonly whole: number;
  /** How many of them are enough to mask what is left of a secret that was cut. */
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
  { prefix: 'do[opr]_v1_', characters: plain, whole: 30, least: 30 },
];

/** The first line of a private key, whatever its kind. */
export const privateKeyStart = '-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----';
export const privateKeyEnd = '-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----';

/** The password in a URL, with or without a user before it; an `@` may stand in it. */
export const urlPassword = String.raw`(?<=:\/\/[^\s/:@"']{0,10000}:)[^\s/?#"']{1,10000}(?=@)`;

/** Names in front of a secret that itself looks like nothing: AWS gives out 40 characters of base64. */
export const secretNames = [
  'private[-_]token',
  'job-token',
  'runner-token',
  'access_token',
  'client_secret',
  'x-amz-security-token',
  'x-amz-signature',
  'secret_?access_?key',
  'session_?token',
  'authorization',
] as const;
