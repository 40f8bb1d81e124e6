import { encodingsOf } from './encodings.ts';

export interface Redactor {
  /** From now on `redact` replaces this secret in all its encodings. Shorter than 4: ignored. */
  add(secret: string): void;
  redact(text: string): string;
}

const mask = '[MASKED]';

// What looks like a token is one, also if nobody told us of it.
const tokens = [
  /\b(?:glrtr?|glpat|glcbt|gldt|glptt|glft|glimt|glagent|glsoat|gloas|glffct)-[\w.-]{8,}/g,
  /\bGR1348941[\w-]{8,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[oprsu]_[A-Za-z0-9]{20,}\b|\bgithub_pat_\w{20,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
];

// The name stays, so that a reader sees what was left out.
const headers =
  /((?:private-token|job-token|runner-token|x-amz-security-token|authorization)\\?["']?\s*[:=]\s*)(\\?["'](?:[^"'\\\r\n]|\\.)*|[^\s"'][^"'\r\n]*)/gi;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  let forms: RegExp | undefined;
  return {
    add(secret) {
      if (secret.trim().length < 4 || secrets.has(secret)) return;
      secrets.add(secret);
      const trimmed = secret.trim();
      secrets.add(trimmed);
      forms = compile(secrets);
    },
    redact(text) {
      let clean = forms === undefined ? text : text.replace(forms, mask);
      for (const pattern of tokens) clean = clean.replace(pattern, mask);
      return clean.replace(headers, (_, name: string) => `${name}${mask}`);
    },
  };
}

function compile(secrets: ReadonlySet<string>): RegExp {
  const all = [...new Set([...secrets].flatMap((secret) => encodingsOf(secret)))];
  all.sort((one, other) => other.length - one.length);
  return new RegExp(all.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
}
