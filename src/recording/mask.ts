import type { Fields } from './fields.ts';

export interface Masking {
  /** The same word for the same text, within one recording; it tells nothing of the text. */
  readonly pseudonym: (text: string) => string;
}

/** Words of the API itself, where what they say is a word: `paused`, `group_type`, `18.9.1-ee`. */
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
/** How GitLab and GitHub spell a field; any other key may be a name of somebody's own. */
const nameOfField = /^[a-z][a-z0-9_]{0,59}$/;

/**
 * An answer as anybody may see it: of the fields that we read, numbers, moments and words of the API
 * as they are, and a pseudonym for every other text; of all others nothing but the type.
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

/** `<number>`, `<list of 3>`; null is null, because it often means something. */
function typeOf(value: unknown): string | null {
  if (value === null) return null;
  return Array.isArray(value) ? `<list of ${value.length}>` : `<${typeof value}>`;
}
