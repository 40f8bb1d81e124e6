import {
  privateKeyEnd,
  privateKeyStart,
  secretShapes,
  urlPassword,
  urlToken,
} from '../../../domain/text/secret-shapes.ts';
import { encodingsOf } from './encodings.ts';
import { longestValue, maskAssignments, outsideArn } from './secret-assignments.ts';

export interface Redactor {
  /**
   * Makes `redact` replace this secret in all its encodings. A secret shorter than 4 is ignored.
   */
  add(secret: string): void;
  redact(text: string): string;
}

const mask = '[MASKED]';

// Colours and invisible characters are removed later. A token that contains them must still match.
const hidden = String.raw`(?:\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufff9-\ufffb\p{Cs}\p{Default_Ignorable_Code_Point}])*`;

// Every text in the shape of a token is masked, known or not, at any position. gitlab-runner up to
// 16.7 writes a token right after its URL, an instance may add a prefix, and another program may
// have cut it. Without this limit, the regular expression would overflow the stack.
const longestToken = 10_000;
const tokens = secretShapes.map(
  ({ prefix, characters, least }) =>
    new RegExp(`(?:${prefix})(?:${hidden}${characters}){${least},${longestToken}}`, 'gu'),
);

const passwords = new RegExp(`${urlPassword}|${urlToken}`, 'g');
/** Matches a private key up to its last line, or to the end of a cut text. */
const privateKeys = new RegExp(
  String.raw`${privateKeyStart}(?:[^"\\]|\\(?:[^"]|$)){0,${longestValue}}?(?:${privateKeyEnd}|(?=\\?")|$)`,
  'g',
);
const dottedWords = new RegExp(String.raw`[\w.-]{1,${longestValue}}`, 'g');
const escapedWords = new RegExp(
  String.raw`(?:[^\s"'<>\\]|\\(?:[^\s"'<>]|(?=[\s<>]|$))){1,${longestValue}}`,
  'g',
);
const escapes = /%[0-9a-f]{2}|\\u00[0-9a-f]{2}/i;
/**
 * Matches Base64, but not from the middle of a JSON escape: `\n` before a word is a line break.
 */
const base64Words = new RegExp(
  String.raw`(?<!\\(?:u[0-9a-f]{0,3})?)[A-Za-z0-9+/_-]{24,${longestValue}}`,
  'g',
);
/** Matches AWS secret keys: 40 characters without a prefix. A digest has no capitals. */
const secretKeys = new RegExp(
  String.raw`(?:(?<=\\[nrt])|(?<![A-Za-z0-9/+\\]))[A-Za-z0-9/+]{40}${outsideArn}(?![\w/+=-]|\.\w)`,
  'g',
);

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let known: KnownForms | undefined;
  return {
    add(secret) {
      if (secret.trim().length < 4 || secrets.has(secret)) return;
      secrets.add(secret);
      const trimmed = secret.trim();
      secrets.add(trimmed);
      known = compile(secrets);
    },
    redact(text) {
      const clean = known === undefined ? text : maskCut(maskWhole(text, known), known);
      return maskEncoded(maskLikely(clean));
    },
  };
}

/** Masks text in the shape of a secret, and values after the name of a secret. */
function maskLikely(text: string): string {
  let clean = text;
  for (const pattern of tokens) clean = clean.replace(pattern, mask);
  return maskAssignments(maskUnnamed(clean), mask);
}

function maskUnnamed(text: string): string {
  return text
    .replace(privateKeys, mask)
    .replace(passwords, mask)
    .replace(dottedWords, maskWebTokens)
    .replace(secretKeys, (key) => (isSecretKey(key) ? mask : key));
}

/** Masks a whole word if it contains a secret after decoding. */
function maskEncoded(text: string): string {
  const maskToken = (word: string, decoded: string) =>
    maskLikely(decoded) === decoded ? word : mask;
  return text
    .replace(escapedWords, (word) => (escapes.test(word) ? maskToken(word, unescaped(word)) : word))
    .replace(base64Words, (word) =>
      maskToken(word, Buffer.from(word, 'base64').toString('latin1')),
    );
}

function unescaped(word: string): string {
  return word.replace(/(?:%|\\u00)([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/**
 * Masks `eyJ….….…` at any position in dotted words. It has three parts, and the last may be cut.
 */
function maskWebTokens(text: string): string {
  if (!text.includes('eyJ')) return text;
  const parts = text.split('.');
  const clean: string[] = [];
  for (let place = 0; place < parts.length; place += 1) {
    const part = parts[place] ?? '';
    const start = part.indexOf('eyJ');
    const isToken = start >= 0 && part.length - start >= 11 && place + 2 < parts.length;
    if (isToken && (parts[place + 1]?.length ?? 0) >= 8) {
      clean.push(`${part.slice(0, start)}${mask}`);
      place += 2;
    } else clean.push(part);
  }
  return clean.join('.');
}

function isSecretKey(text: string): boolean {
  const capitals = text.replace(/[^A-Z]/g, '').length;
  const small = text.replace(/[^a-z]/g, '').length;
  return capitals >= 5 && small >= 5 && capitals + small < text.length;
}

interface KnownForms {
  /** Forms longer than `leastCut`, by their first characters. */
  readonly beginnings: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
  readonly long: readonly string[];
  /** Pattern of all other forms. Undefined if there are none. */
  readonly whole: RegExp | undefined;
}

/**
 * Longest form in a pattern. A variable may have 128 KB, and the engine refuses a much shorter
 * pattern with an error that contains the pattern.
 */
const longestInPattern = 2000;

function compile(secrets: ReadonlySet<string>): KnownForms {
  const forms = [...new Set([...secrets].flatMap((secret) => encodingsOf(secret)))];
  forms.sort((one, other) => other.length - one.length);
  const long = forms.filter(({ length }) => length > longestInPattern);
  const escaped = forms
    .slice(long.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const whole = escaped.length === 0 ? undefined : new RegExp(escaped.join('|'), 'g');
  const beginnings = new Map<string, string[]>();
  for (const form of forms.filter(({ length }) => length > leastCut)) {
    const beginning = form.slice(0, leastCut);
    beginnings.set(beginning, [...(beginnings.get(beginning) ?? []), form]);
  }
  return { beginnings, longest: (forms[0]?.length ?? 0) - 1, long, whole };
}

function maskWhole(text: string, { long, whole }: KnownForms): string {
  let clean = text;
  for (const form of long) clean = clean.replaceAll(form, mask);
  return whole === undefined ? clean : clean.replace(whole, mask);
}

/** Shortest beginning that is masked. Shorter ones are ordinary words. */
const leastCut = 8;

/**
 * Masks the beginning of a secret at the end of a line, and before the mark of a cut. Another
 * program cut it, or this program did before it knew the secret.
 */
function maskCut(text: string, { beginnings, longest }: KnownForms): string {
  const maskEnd = (part: string): string => {
    const last = part.length - leastCut;
    for (let at = Math.max(0, part.length - longest); at <= last; at += 1) {
      const forms = beginnings.get(part.slice(at, at + leastCut));
      if (forms?.some((form) => form.startsWith(part.slice(at))) === true)
        return `${part.slice(0, at)}${mask}`;
    }
    return part;
  };
  return text
    .split(/([\n…])/)
    .map(maskEnd)
    .join('');
}
