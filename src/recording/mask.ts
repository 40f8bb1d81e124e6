import type { Fields } from './fields.ts';

export interface Masking {
  /**
   * Returns the same word for the same text within one recording. It reveals nothing about the
   * text.
   */
  readonly pseudonym: (text: string) => string;
}

/** Fields whose text is a keyword of the API: `paused`, `group_type`, `18.9.1-ee`. */
const kept: ReadonlySet<string> = new Set([
  'access_level',
  'conclusion',
  'event',
  'failure_reason',
  'jobExecutionStatus',
  'job_execution_status',
  'runner_type',
  'scopes',
  'status',
  'type',
  'version',
]);
const wordOfApi = /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,59}$/;
const secret: ReadonlySet<string> = new Set(['token', 'private_token', 'runners_token']);
const moment =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z| ?[+-]\d{2}:?\d{2}| UTC))?$/;
/** Spelling of a field of GitLab or GitHub. Any other key may be a customer's name. */
const nameOfField = /^[a-z][a-z0-9_]{0,59}$/;

/**
 * Masks a response for publication. In fields that a schema reads, it keeps numbers, times and
 * keywords of the API, and replaces other text by a pseudonym. Any other field is replaced by its
 * type.
 */
export function maskAnswer(value: unknown, fields: Fields, masking: Masking): unknown {
  return maskRead(value, fields, { masking, name: '' });
}

function maskRead(
  value: unknown,
  fields: Fields,
  place: { masking: Masking; name: string },
): unknown {
  if (Array.isArray(value)) {
    const item = fields.kind === 'list' ? fields.item : fields;
    return value.map((each) => maskRead(each, item, place));
  }
  if (typeof value === 'object' && value !== null) {
    const known = fields.kind === 'object' ? fields.fields : new Map<string, Fields>();
    return Object.fromEntries(
      Object.entries(value).map(([name, inner], index) => {
        const field = known.get(name);
        if (field !== undefined) return [name, maskRead(inner, field, { ...place, name })];
        return [nameOfField.test(name) ? name : `<key ${index}>`, typeOf(inner)];
      }),
    );
  }
  return typeof value === 'string' ? maskText(value, place) : value;
}

function maskText(text: string, { masking, name }: { masking: Masking; name: string }): string {
  if (secret.has(name)) return text.length < 8 ? '<cut>' : '<secret>';
  if (kept.has(name) && wordOfApi.test(text)) return text;
  if (moment.test(text) || text === '') return text;
  return masking.pseudonym(text);
}

/**
 * Returns a type such as `<number>` or `<list of 3>`. Null stays null, because it often has a
 * meaning.
 */
function typeOf(value: unknown): string | null {
  if (value === null) return null;
  return Array.isArray(value) ? `<list of ${value.length}>` : `<${typeof value}>`;
}
