import { parseAllDocuments } from 'yaml';
import { type GitLabVersion, isBefore, newestGitLab } from './gitlab-version.ts';
import { matchesRe2 } from './re2.ts';

export interface InputSpecification {
  readonly type?: 'string' | 'boolean' | 'array' | 'number';
  readonly default?: unknown;
  readonly description?: string;
  readonly regex?: string;
  readonly options?: readonly unknown[];
}

export interface TemplateFile {
  readonly component: readonly string[];
  readonly inputs: Readonly<Record<string, InputSpecification>>;
  /** Text in the file, before any insertion. */
  readonly body: string;
}

export interface Interpolation {
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Values of `include:component`; absent for any other include. */
  readonly component?: Readonly<Record<string, string | null>>;
  readonly gitlab?: GitLabVersion;
}

export function readTemplate(text: string): TemplateFile {
  const spec = readSpec(text);
  return {
    component: (spec['component'] ?? []) as string[],
    inputs: spec['inputs'] as TemplateFile['inputs'],
    body: text.slice(text.indexOf(end) + end.length),
  };
}

const end = '\n---\n';

function readSpec(text: string): Record<string, unknown> {
  const [header] = parseAllDocuments(text.slice(0, text.indexOf(end)));
  return (header as { toJS(): { spec: Record<string, unknown> } }).toJS().spec;
}

/** Keywords of a header and of an input, with the first version that supports them. */
const headerKeywords = { inputs: '17.0', component: '18.6' } as const;
const inputKeywords = ['type', 'default', 'description', 'regex', 'options'];
const limits = { blocks: 10_000, functions: 3, bytesOfBlock: 1024 };

/**
 * Inserts inputs like GitLab: raw text before YAML is parsed, and other types as JSON, so no value
 * becomes `null`. gitlab-ci-local escapes instead.
 */
export function interpolate(
  text: string,
  { inputs = {}, component, gitlab = newestGitLab }: Interpolation,
): string {
  refuseUnknownKeywords(readSpec(text), gitlab);
  const template = readTemplate(text);
  const problems = Object.keys(inputs).filter((name) => !(name in template.inputs));
  if (problems.length > 0) throw new Error(`unknown input: ${problems.join(', ')}`);
  const values = Object.fromEntries(
    Object.entries(template.inputs).map(([name, input]) => [
      name,
      readValue({ name, input, given: inputs, gitlab }),
    ]),
  );
  const blocks = new Set<string>();
  return template.body.replaceAll(/\$\[\[\s*(.*?)\s*\]\]/g, (block, access: string) => {
    refuseBeyondLimits(blocks.add(block), block, access);
    const [context = '', key = ''] = access.split('.');
    const offered = context === 'component' ? sliceOf(component, template.component) : values;
    if (!(key in offered)) throw new Error(`unknown interpolation key: ${access}`);
    const value = offered[key];
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function refuseUnknownKeywords(spec: Record<string, unknown>, gitlab: GitLabVersion): void {
  for (const keyword of Object.keys(spec)) {
    const since = headerKeywords[keyword as keyof typeof headerKeywords];
    if (since === undefined || isBefore(gitlab, since))
      throw new Error(`header:spec config contains unknown keys: ${keyword}`);
  }
  for (const [name, input] of Object.entries(spec['inputs'] as object)) {
    const unknown = Object.keys(input).filter((keyword) => !inputKeywords.includes(keyword));
    if (unknown.length > 0)
      throw new Error(`${name}: config contains unknown keys: ${unknown.join(', ')}`);
  }
}

function refuseBeyondLimits(blocks: ReadonlySet<string>, block: string, access: string): void {
  if (blocks.size > limits.blocks) throw new Error('too many interpolation blocks');
  if (Buffer.byteLength(block) > limits.bytesOfBlock)
    throw new Error('maximum interpolation expression size exceeded');
  if (access.split('|').length - 1 > limits.functions)
    throw new Error('too many functions in interpolation block');
}

function sliceOf(component: Interpolation['component'] = {}, named: readonly string[]) {
  return Object.fromEntries(Object.entries(component).filter(([name]) => named.includes(name)));
}

function readValue({
  name,
  input: { type = 'string', regex, options, ...input },
  given,
  gitlab,
}: {
  name: string;
  input: InputSpecification;
  given: Readonly<Record<string, unknown>>;
  gitlab: GitLabVersion;
}): unknown {
  const isGiven = name in given;
  const value = isGiven ? given[name] : input.default;
  if (value === undefined) throw new Error(`${name}: required value has not been provided`);
  for (const [what, each] of [
    ['default', input.default],
    ...(isGiven ? [['provided', value] as const] : []),
  ] as const) {
    if (each === undefined) continue;
    const found = Array.isArray(each) ? 'array' : typeof each;
    if (found !== type) throw new Error(`${name}: ${what} value is not a ${type}`);
    if (options?.includes(each) === false)
      throw new Error(`${name}: ${what} value is not one of the options`);
    if (regex !== undefined && !accepts(regex, String(each), gitlab))
      throw new Error(`${name}: ${what} value does not match required RegEx pattern`);
  }
  return value;
}

/** Decides whether GitLab accepts a text. Up to 18.0, an empty text matched no pattern at all. */
function accepts(regex: string, text: string, gitlab: GitLabVersion): boolean {
  return (text !== '' || !isBefore(gitlab, '18.1')) && matchesRe2(regex, text);
}
