import { parseJson } from '../../../domain/text/json.ts';
import type { Redactor } from './redaction.ts';
import { sanitizeLine } from './sanitize.ts';

const maxWords = 300;

/** Another system's own words, fit to be quoted: one line, without secrets, cut. */
export function quote(text: string, redactor: Redactor): string {
  // Redacted before it is cut and after it is cleaned: a half or a hidden secret is one, too.
  const clean = sanitizeLine(redactor.redact(text), Number.POSITIVE_INFINITY);
  return sanitizeLine(redactor.redact(clean), maxWords);
}

/** What the body of a refusal says, whatever its form. */
export function readWords(body: string): string {
  const json = parseJson(body);
  if (json !== undefined) return wordsOf(json) || body;
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  return title?.trim() || body.replace(/<[^>]*>/g, ' ');
}

/** GitLab says `message` as text, as fields with lists, or `error` with `error_description`. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(', ');
  if (typeof value !== 'object' || value === null) return '';
  const { message, error, error_description: description, scope } = value as Answer;
  const known = [error, description, message].map(wordsOf).filter(Boolean);
  const parts = typeof scope === 'string' ? [...known, `scope: ${scope}`] : known;
  if (parts.length > 0) return parts.join(': ');
  return Object.entries(value)
    .map(([field, words]) => `${field === 'base' ? '' : `${field} `}${wordsOf(words)}`)
    .join(', ');
}

interface Answer {
  readonly message?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly scope?: unknown;
}
