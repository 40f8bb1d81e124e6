import { knownAnswers, knownVersions } from './answer-data.ts';
import { vocabularyOf } from './refusal-mask.ts';
import { knownBySource } from './source-answers.ts';

/** Known responses of GitLab to one call, at one version. */
export interface KnownAnswers {
  /** Version of these responses. Versions between two known ones were not read. */
  readonly version: string;
  /** Types by field, of a successful response or of an item of a list. */
  readonly good?: ReadonlyMap<string, readonly string[]>;
  readonly goodStatus?: number;
  /** Lists the differences of a successful response that fields alone do not show. */
  readonly unlike?: (answer: unknown) => readonly string[];
  /**
   * Bodies of refusals. Placeholders such as `<reason>` stand for text that differs between
   * instances.
   */
  readonly refusals: readonly { readonly status: number; readonly body: unknown }[];
}

/** Known responses of GitLab, read once. */
export interface AnswerKnowledge {
  /** Returns the responses to a call. Undefined if the call or such an old version is unknown. */
  of(call: string, version: string): KnownAnswers | undefined;
  /** Words that occur in refusals. */
  readonly vocabulary: ReadonlySet<string>;
}

export function readAnswerKnowledge(): AnswerKnowledge {
  const lines = parsed();
  const calls = new Set(lines.map(({ call }) => call));
  const found = new Map<string, KnownAnswers>();
  return {
    vocabulary: vocabularyOf([
      ...lines.flatMap(({ status, rest }) => (status < 300 ? [] : [rest])),
      ...Object.values(knownBySource).flatMap(({ refusals }) =>
        refusals.map(({ body }) => JSON.stringify(body)),
      ),
    ]),
    of(call, version) {
      const nearest = nearestOf(version);
      if (nearest === undefined) return undefined;
      const bySource = knownBySource[call];
      if (bySource !== undefined) return withCommon(bySource, answersAt(lines, call, nearest));
      if (!calls.has(call)) return undefined;
      const key = `${nearest} ${call}`;
      const known = found.get(key) ?? answersAt(lines, call, nearest);
      found.set(key, known);
      return known;
    },
  };
}

function answersAt(all: readonly Line[], call: string, version: string): KnownAnswers {
  const at = knownVersions.indexOf(version);
  const lines = all.filter(
    ({ since, until }) => knownVersions.indexOf(since) <= at && at <= knownVersions.indexOf(until),
  );
  const good = lines.find((line) => line.call === call && line.status < 300);
  const refused = lines.filter((line) => line.status >= 300 && ['* *', call].includes(line.call));
  return {
    version,
    ...(good === undefined ? {} : { good: typesIn(good.rest), goodStatus: good.status }),
    refusals: refused.map(({ status, rest }) => ({ status, body: JSON.parse(rest) as unknown })),
  };
}

/** Adds the refusals that any call may get. */
function withCommon(known: KnownAnswers, { refusals }: KnownAnswers): KnownAnswers {
  return { ...known, refusals: [...known.refusals, ...refusals] };
}

/** Returns the newest known version that is not newer than this one. */
function nearestOf(version: string): string | undefined {
  const number = numberOf(version);
  return knownVersions.findLast((known) => numberOf(known) <= number);
}

function numberOf(version: string): number {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  return major * 1000 + minor;
}

interface Line {
  readonly since: string;
  readonly until: string;
  readonly call: string;
  readonly status: number;
  readonly rest: string;
}

function parsed(): readonly Line[] {
  return knownAnswers.map((line) => {
    const [since = '', until = '', method, route, status, ...rest] = line.split(' ');
    return {
      since,
      until,
      call: `${method} ${route}`,
      status: Number(status),
      rest: rest.join(' '),
    };
  });
}

function typesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const fields = text.split(' ').filter((field) => field !== '');
  return new Map(
    fields.map((field) => {
      const [name = '', types = ''] = field.split(':');
      return [name, types.split('|')] as const;
    }),
  );
}
