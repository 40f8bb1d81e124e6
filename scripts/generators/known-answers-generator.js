import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

const data = 'test/fixtures/gitlab-answers.json';
const oldest = '17.5';
/** Number of endpoints with a refusal above which any endpoint may return it. */
const common = 20;

/**
 * Known responses of GitLab, as lines for `replay`: since, until, call and status. Then follow the
 * fields of a successful response with their types, or the body of a refusal.
 * @type {{ name: string, output: string, load: () => Promise<string> }}
 */
export const knownAnswersGenerator = {
  name: 'the known answers',
  output: 'src/recording/answer-data.ts',
  load: async () => {
    const known = JSON.parse(readFileSync(join(root, data), 'utf8'));
    const versions = known.versions.slice(known.versions.indexOf(oldest));
    const perVersion = versions.map((/** @type {string} */ version) => linesOf(known, version));
    return render(versions, inRanges(versions, perVersion));
  },
};

/** @param {any} known @param {string} version @returns {string[]} */
function linesOf(known, version) {
  /** @type {string[]} */
  const good = [];
  /** @type {Map<string, string[]>} */
  const refusals = new Map();
  for (const [call, { answers }] of endpointsOf(known)) {
    const { success, variants = {}, errors = [], alsoErrorSets = [] } = at(known, answers, version);
    const bodies = [success, ...Object.values(variants)].filter(Boolean);
    if (success) good.push(`${call} ${success.status} ${fieldsOf(bodies)}`.trimEnd());
    const shared = alsoErrorSets.flatMap(
      (/** @type {string} */ set) => at(known, known.errorSets[set], version).errors,
    );
    for (const { status, body } of [...errors, ...shared]) {
      for (const one of alternatives(body ?? '')) {
        const text = `${status} ${JSON.stringify(one)}`;
        refusals.set(text, [...(refusals.get(text) ?? []), call]);
      }
    }
  }
  const refused = [...refusals].flatMap(([text, calls]) =>
    (calls.length >= common ? ['* *'] : [...new Set(calls)]).map((call) => `${call} ${text}`),
  );
  return [...good, ...refused];
}

/** Lists the REST endpoints, including those with the responses of another. @param {any} known */
function endpointsOf({ endpoints }) {
  return Object.entries(endpoints)
    .filter(([, { kind }]) => kind === 'rest')
    .flatMap(([call, endpoint]) =>
      [call, endpoint.alsoFor]
        .filter(Boolean)
        .map((one) => /** @type {[string, any]} */ ([one, endpoint])),
    );
}

/** @param {any} known @param {any[]} ranges @param {string} version @returns {any} */
function at({ versions }, ranges, version) {
  const index = versions.indexOf(version);
  return ranges.find(
    ({ since, until }) => versions.indexOf(since) <= index && index <= versions.indexOf(until),
  );
}

/** `<param> is invalid | <param> is missing`. @param {any} body @returns {unknown[]} */
function alternatives(body) {
  if (typeof body.error !== 'string') return [body];
  return body.error.split(' | ').map((/** @type {string} */ error) => ({ ...body, error }));
}

/** @param {{ body: unknown }[]} answers */
function fieldsOf(answers) {
  /** @type {Map<string, Set<string>>} */
  const types = new Map();
  for (const item of answers.flatMap(({ body }) => body)) {
    if (typeof item !== 'object' || item === null) continue;
    for (const [name, value] of Object.entries(item)) {
      types.set(name, (types.get(name) ?? new Set()).add(typeOf(value)));
    }
  }
  return [...types].map(([name, found]) => `${name}:${[...found].sort().join('|')}`).join(' ');
}

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** @param {string[]} versions @param {string[][]} perVersion @returns {string[]} */
function inRanges(versions, perVersion) {
  const lines = [...new Set(perVersion.flat())].sort();
  return lines.flatMap((line) => {
    /** @type {string[]} */
    const ranges = [];
    versions.forEach((version, index) => {
      if (!perVersion[index]?.includes(line)) return;
      const begins = index === 0 || !perVersion[index - 1]?.includes(line);
      if (begins) ranges.push(`${version} ${version} ${line}`);
      else ranges.push(`${ranges.pop()?.split(' ')[0]} ${version} ${line}`);
    });
    return ranges;
  });
}

/** @param {string[]} versions @param {string[]} lines */
function render(versions, lines) {
  const quoted = lines.map((line) => `  ${quote(line)},`);
  return [
    '// Generated from the data of GitLab’s answers by `npm run generate`; edits here are lost.',
    `export const knownVersions = [${versions.map(quote).join(', ')}];`,
    '',
    '/** since, until, method, route, status; then fields with their types, or a refusal’s body. */',
    'export const knownAnswers = [',
    ...quoted,
    '];',
    '',
  ].join('\n');
}

/** Quotes a text like the formatter. @param {string} text */
function quote(text) {
  const single = text.split("'").length - 1;
  const double = text.split('"').length - 1;
  const mark = single > double ? '"' : "'";
  return `${mark}${text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`)}${mark}`;
}
