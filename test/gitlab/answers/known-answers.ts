import { readFileSync } from 'node:fs';

/** GitLab's responses according to its own sources. The `$comment` describes the format. */
const file = new URL('../../fixtures/gitlab-answers.json', import.meta.url);
const known = JSON.parse(readFileSync(file, 'utf8')) as Known;

export interface KnownAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Condition extends KnownAnswer {
  readonly condition: string;
  readonly evidence: string;
}

export interface Endpoint {
  /** `GET /runners/:id`. */
  readonly call: string;
  /** Whether gitlab-runner sends this request, not hosted-runner. */
  readonly isRunners: boolean;
  /** Absent if this version has no such route. */
  readonly success?: KnownAnswer;
  readonly variants: Readonly<Record<string, KnownAnswer>>;
  readonly conditions: readonly Condition[];
}

export const versions: readonly string[] = known.versions;
export const calls: readonly string[] = Object.keys(known.endpoints);

/** Every endpoint as one version answers it; what is unknown of a version fails. */
export function endpointsOf(version: string): readonly Endpoint[] {
  return Object.entries(known.endpoints).map(([call, endpoint]) => {
    const {
      success,
      variants = {},
      errors = [],
      alsoErrorSets = [],
    } = rangeOf(endpoint.answers, version, call);
    return {
      call,
      isRunners: endpoint.kind === 'runner',
      ...(success === undefined ? {} : { success }),
      variants,
      conditions: [
        ...errors,
        ...alsoErrorSets.flatMap(
          (set) => rangeOf(known.errorSets[set] ?? [], version, set).errors ?? [],
        ),
      ],
    };
  });
}

/** Read nowhere, but remembered (K), inferred (I) or not read again. */
export function isAssumed({ evidence }: Condition): boolean {
  return /(?:^|[\s(;])[KI](?:\)|$)/.test(evidence) || evidence.includes('not re-read');
}

function rangeOf(ranges: readonly Range[], version: string, what: string): Range {
  const at = versions.indexOf(version);
  const found = ranges.filter(
    ({ since, until }) => versions.indexOf(since) <= at && at <= versions.indexOf(until),
  );
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`${what} has ${found.length} ranges for GitLab ${version}`);
  }
  return only;
}

interface Range {
  readonly since: string;
  readonly until: string;
  readonly success?: KnownAnswer;
  readonly variants?: Readonly<Record<string, KnownAnswer>>;
  readonly errors?: readonly Condition[];
  readonly alsoErrorSets?: readonly string[];
}

interface Known {
  readonly versions: readonly string[];
  readonly errorSets: Readonly<Record<string, readonly Range[]>>;
  readonly endpoints: Readonly<
    Record<string, { readonly kind: string; readonly answers: readonly Range[] }>
  >;
}
