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

/** More than any sentence of an API, and less than takes time. */
const mostRead = 64 * 1024;
/** Of parts of an answer: fields with lists of sentences have three levels. */
const mostLevels = 8;

/** What the body of a refusal says, whatever its form. */
export function readMessage(body: string): string {
  const text = body.slice(0, mostRead);
  const json = parseJson(text);
  if (json !== undefined) return wordsOf(json, mostLevels) || text;
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(text)?.[1];
  return title?.trim() || text.replace(/<[^<>]*>/g, ' ');
}

/** GitLab says `message` as text, as fields with lists, or `error` with `error_description`. */
function wordsOf(value: unknown, levels: number): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || levels === 0) return '';
  const inner = (part: unknown) => wordsOf(part, levels - 1);
  if (Array.isArray(value)) return value.map(inner).filter(Boolean).join(', ');
  const { message, error, error_description: description, scope } = value as Answer;
  const known = [error, description, message].map(inner).filter(Boolean);
  const parts = typeof scope === 'string' ? [...known, `scope: ${scope}`] : known;
  if (parts.length > 0) return parts.join(': ');
  return Object.entries(value)
    .map(([field, words]) => `${field === 'base' ? '' : `${field} `}${inner(words)}`)
    .join(', ');
}

interface Answer {
  readonly message?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly scope?: unknown;
}
