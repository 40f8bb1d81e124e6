import { encodingsOf } from './encodings.ts';

export interface Redactor {
  /** From now on `redact` replaces this secret in all its encodings. Shorter than 4: ignored. */
  add(secret: string): void;
  redact(text: string): string;
}

const mask = '[MASKED]';

// Colours and what nobody sees, which are taken out later: what they divide is still one token.
const hidden = String.raw`(?:\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufff9-\ufffb\p{Default_Ignorable_Code_Point}])*`;

/** A prefix, and behind it at least so many of these characters. */
function tokenOf(prefix: string, characters: string, least: number): RegExp {
  return new RegExp(`(?:${prefix})(?:${hidden}${characters}){${least},}`, 'gu');
}

// What looks like a token is one, also if nobody told us of it, and wherever it stands: gitlab-runner up
// to 16.7 writes it right behind its URL, an instance may put a prefix of its own before it, and what
// was cut off by somebody else is still half of one.
const tokens = [
  tokenOf(
    'gl(?:rtr?|pat|cbt|dt|ptt|ft|imt|agent|soat|oas|ffct|wt)-',
    String.raw`(?:[\w-]|\.(?=[\w-]))`,
    1,
  ),
  tokenOf('GR1348941', String.raw`[\w-]`, 1),
  tokenOf('AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]', '[A-Z0-9]', 16),
  tokenOf('gh[oprsu]_', String.raw`(?:[\w-]|\.(?=[\w-]))`, 10),
  tokenOf('github_pat_', String.raw`\w`, 1),
  /eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
];

// The name stays, so that a reader sees what was left out.
const headers =
  /((?:private-token|job-token|runner-token|x-amz-security-token|authorization)\\?["']?\s*[:=]\s*)(\\?["'](?:[^"'\\\r\n]|\\.)*|[^\s"'][^"'\r\n]*)/gi;

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
      let clean = known === undefined ? text : maskCut(maskWhole(text, known), known.forms);
      for (const pattern of tokens) clean = clean.replace(pattern, mask);
      return clean.replace(headers, (_, name: string) => `${name}${mask}`);
    },
  };
}

interface KnownForms {
  readonly forms: readonly string[];
  readonly long: readonly string[];
  /** Of all others; undefined where there is none. */
  readonly whole: RegExp | undefined;
}

/** A variable holds 128 KB, and a pattern of much less is refused by the engine, with the pattern in its words. */
const longestInPattern = 2000;

function compile(secrets: ReadonlySet<string>): KnownForms {
  const forms = [...new Set([...secrets].flatMap((secret) => encodingsOf(secret)))];
  forms.sort((one, other) => other.length - one.length);
  const long = forms.filter(({ length }) => length > longestInPattern);
  const escaped = forms
    .slice(long.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const whole = escaped.length === 0 ? undefined : new RegExp(escaped.join('|'), 'g');
  return { forms, long, whole };
}

function maskWhole(text: string, { long, whole }: KnownForms): string {
  let clean = text;
  for (const form of long) clean = clean.replaceAll(form, mask);
  return whole === undefined ? clean : clean.replace(whole, mask);
}

/** Shorter beginnings are ordinary words. */
const leastCut = 8;

/**
 * The beginning of a secret where a text ends: somebody cut it before we saw it, or we did before it
 * was known. At the end of a line, and in front of the mark of a cut.
 */
function maskCut(text: string, forms: readonly string[]): string {
  return text.replace(/[^\n…]{8,}(?=…|\n|$)/g, (part) => {
    const length = Math.max(0, ...forms.map((form) => cutLength(part, form)));
    return length === 0 ? part : `${part.slice(0, -length)}${mask}`;
  });
}

/** How much of the beginning of `form` the text ends with. */
function cutLength(text: string, form: string): number {
  const last = text.at(-1);
  for (let length = Math.min(form.length - 1, text.length); length >= leastCut; length -= 1) {
    if (form[length - 1] === last && text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
