import type { KnownAnswer } from '../../../gitlab/answers/known-answers.ts';
import type { Received } from '../gitlab-world.ts';

/**
 * Fields whose value decides a response's meaning. The value must match the data, not only its
 * type.
 */
const COMPARED_BY_VALUE = [
  'status',
  'online',
  'paused',
  'active',
  'is_shared',
  'runner_type',
  'job_execution_status',
  'access_level',
];
/** Fields whose absence changes the meaning of a response. */
const COMPARED_BY_ABSENCE = [
  'online',
  'ip_address',
  'name',
  'contacted_at',
  'version',
  'revision',
  'platform',
  'architecture',
  'maintenance_note',
  'created_by',
  'runner',
  'runner_manager',
];

/** Compares a refusal: its status, headers and texts must equal the data's. */
export function differencesOfRefusal(known: KnownAnswer, received: Received): string[] {
  return [
    ...differing('status', known.status, received.status),
    ...differencesOfHeaders(known.headers ?? {}, received.headers),
    ...differencesOfWords('body', known.body, received.body ?? received.text),
  ];
}

/**
 * Compares a good response: all fields of the data must occur, and none of another version only.
 */
export function differencesOfAnswer(
  known: KnownAnswer,
  received: Received,
  { foreign, excepted }: { foreign: readonly string[]; excepted: readonly string[] },
): string[] {
  const body = received.body ?? (received.text === '' ? null : received.text);
  return [
    ...differing('status', known.status, received.status),
    ...differencesOfHeaders(known.headers ?? {}, received.headers),
    // Without a body in the data, the body was never read, so it is not compared.
    ...(known.body === undefined ? [] : differencesOfShape('', known.body, body, excepted)),
    ...pathsOf(body)
      .filter((path) => foreign.includes(path))
      .map((path) => `${path} is another version's`),
  ];
}

/** Lists every field of a response, like `[].runner.id`. Lists count by their first element. */
export function pathsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : pathsOf(value[0], `${prefix}[]`);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${prefix}.${key}`,
    ...pathsOf(inner, `${prefix}.${key}`),
  ]);
}

function differencesOfHeaders(known: Readonly<Record<string, string>>, headers: Headers): string[] {
  return Object.entries(known).flatMap(([name, value]) => {
    const got = headers.get(name);
    if (got === null) return [`header ${name} is absent`];
    // Rate limits differ between instances.
    if (value === '' && name.startsWith('ratelimit-')) return [];
    if (name === 'link') return differing('link', relationsIn(value), relationsIn(got));
    if (name === 'content-type') return got.startsWith(value) ? [] : differing(name, value, got);
    return differencesOfWords(`header ${name}`, value, got);
  });
}

function relationsIn(link: string): string {
  return [...link.matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel).join(', ');
}

function differencesOfWords(path: string, known: unknown, got: unknown): string[] {
  if (typeof known === 'string') {
    const text = typeof got === 'string' ? got : JSON.stringify(got);
    return isMatch(known, text) ? [] : [`${path}: ${JSON.stringify(got)} is not ${known}`];
  }
  if (typeof known !== 'object' || known === null) return differing(path, known, got);
  const keys = [...new Set([...Object.keys(known), ...Object.keys((got ?? {}) as object)])];
  return keys.flatMap((key) =>
    differencesOfWords(
      `${path}.${key}`,
      (known as Record<string, unknown>)[key],
      (got as Record<string, unknown> | null)?.[key],
    ),
  );
}

/** Compares a text with the data. `<…>` and `...` match any text, ` | ` separates alternatives. */
function isMatch(known: string, got: string): boolean {
  return known.split(' | ').some((sentence) => {
    const loose = sentence.replaceAll(/^<(.*)> - /g, '$1 - ').split(/<[^>]*>|\s*\.\.\.\s*/);
    const pattern = loose.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('.*');
    return new RegExp(`^${pattern}$`, 's').test(got);
  });
}

function differencesOfShape(
  path: string,
  known: unknown,
  got: unknown,
  excepted: readonly string[],
): string[] {
  const key = path.split('.').at(-1) ?? '';
  if (excepted.includes(path.replace(/^\./, ''))) return [];
  if (known === null || got === null) {
    const matters = COMPARED_BY_ABSENCE.includes(key) || path === '';
    return matters && known !== got ? differing(path, known, got) : [];
  }
  if (Array.isArray(known)) {
    if (!Array.isArray(got)) return [`${path} is no list`];
    if (known.length === 0) return [];
    if (got.length === 0) return [`${path} is empty`];
    return differencesOfShape(`${path}[]`, known[0], got[0], excepted);
  }
  if (typeof known === 'object') {
    if (typeof got !== 'object') return [`${path} is no object`];
    return Object.entries(known as object).flatMap(([name, value]) =>
      name in (got as object)
        ? differencesOfShape(`${path}.${name}`, value, (got as never)[name], excepted)
        : [`${path}.${name} is absent`],
    );
  }
  // A deeper status belongs to another object.
  const isOwn = path.replace('[]', '').split('.').length === 2;
  if (isOwn && COMPARED_BY_VALUE.includes(key)) return differing(path, known, got);
  return typeof known === typeof got || path === '' ? [] : differing(path, known, got);
}

function differing(path: string, known: unknown, got: unknown): string[] {
  if (known === got) return [];
  return [`${path}: ${JSON.stringify(got)} is not ${JSON.stringify(known)}`];
}
