import { parseJson } from '../../../domain/text/json.ts';
import type { Redactor } from './redaction.ts';
import { sanitizeLine } from './sanitize.ts';

const maxWords = 300;

/** Quotes another system's message: one line, redacted and cut. */
export function quote(text: string, redactor: Redactor): string {
  // Redaction comes before the cut and after sanitizing, to catch partial and hidden secrets.
  const clean = sanitizeLine(redactor.redact(text), Number.POSITIVE_INFINITY);
  return sanitizeLine(redactor.redact(clean), maxWords);
}

/** Limit above the length of any API message, which also limits the time. */
const mostRead = 64 * 1024;
/** Limit of nested levels. Fields with lists of messages have three. */
const mostLevels = 8;

/** Returns the message of a refusal in any format. */
export function readMessage(body: string): string {
  const text = body.slice(0, mostRead);
  const json = parseJson(text);
  if (json !== undefined) return wordsOf(json, mostLevels) || text;
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(text)?.[1];
  return title?.trim() || text.replace(/<[^<>]*>/g, ' ');
}

/**
 * Collects messages. GitLab returns `message` as text or as fields with lists, or `error` with
 * `error_description`.
 */
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
