import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../support/program.ts';
import type { GitLabVersion } from './gitlab-version.ts';
import { type Interpolation, interpolate } from './interpolation.ts';

export interface CiJob {
  readonly needs?: readonly { readonly job: string; readonly optional?: boolean }[];
  readonly when?: string;
  /** Whether the job may fail. If exit codes are listed, only with these. */
  readonly allow_failure?: boolean | { readonly exit_codes: readonly number[] };
  readonly resource_group?: string;
  readonly rules?: readonly { readonly if?: string; readonly when?: string }[];
  readonly script?: readonly string[];
  readonly [keyword: string]: unknown;
}

export type Configuration = Readonly<Record<string, CiJob>>;

export const templateNames = ['deploy', 'finalize', 'healthcheck', 'recover'] as const;
export const exampleNames = ['minimal', 'two-stacks', 'approval-and-schedule'] as const;

export function readTemplateText(name: string): string {
  return readFileSync(join(root, 'templates', name, 'template.yml'), 'utf8');
}

export function readExample(name: string): Record<string, unknown> & { include: Include[] } {
  return parse(readFileSync(join(root, `examples/gitlab/${name}.gitlab-ci.yml`), 'utf8'));
}

/** Returns the only job of the example for a canary project. */
export function readCanaryProject(): CiJob {
  const text = readFileSync(join(root, 'examples/canary-project/.gitlab-ci.yml'), 'utf8');
  const [, body = ''] = text.split(/^---\n/m);
  return parse(body).canary;
}

interface Include {
  readonly component: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Renders a template with its inputs, including hidden jobs. */
export function renderTemplate(name: string, interpolation: Interpolation): Configuration {
  return parse(interpolate(readTemplateText(name), interpolation));
}

/** Renders an example like GitLab: includes in order, then the file itself, then `extends`. */
export function renderExample(name: string, gitlab?: GitLabVersion): Configuration {
  return renderPipeline(readExample(name), gitlab);
}

/** Renders a file with includes of components, as GitLab does. */
export function renderPipeline(
  { include, ...own }: ReturnType<typeof readExample>,
  gitlab?: GitLabVersion,
): Configuration {
  const parts = include.map(({ component, inputs }) =>
    renderTemplate(/\/(\w+)@/.exec(component)?.[1] ?? '', {
      inputs,
      ...(gitlab && { gitlab }),
    }),
  );
  return expand([...parts, own as Configuration].reduce((whole, part) => merge(whole, part), {}));
}

/** Returns the jobs without hidden ones, with `extends` resolved. */
export function expand(configuration: Configuration): Configuration {
  const visible = Object.entries(configuration).filter(([name]) => !name.startsWith('.'));
  return Object.fromEntries(visible.map(([name, job]) => [name, withBases(configuration, job)]));
}

function withBases(configuration: Configuration, job: CiJob): CiJob {
  if (typeof job !== 'object' || !('extends' in job)) return job;
  const { extends: bases, ...own } = job;
  return [bases]
    .flat()
    .map((base) => {
      const found = configuration[String(base)];
      if (found === undefined) throw new Error(`extends an unknown job: ${String(base)}`);
      return withBases(configuration, found);
    })
    .concat(own as CiJob)
    .reduce((whole, part) => merge(whole, part), {});
}

/** Merges hashes key by key. A list replaces a list. */
function merge<Value extends object>(one: Value, other: Value): Value {
  const merged = { ...one } as Record<string, unknown>;
  for (const [key, value] of Object.entries(other)) {
    const before = merged[key];
    merged[key] = isHash(before) && isHash(value) ? merge(before, value) : value;
  }
  return merged as Value;
}

function isHash(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Decides whether a job belongs to no pipeline at all. */
export function isNever({ rules }: CiJob): boolean {
  return rules?.[0]?.when === 'never' && rules[0].if === undefined;
}
