import { parseAllDocuments } from 'yaml';

export interface InputSpecification {
  readonly type?: 'string' | 'boolean' | 'array' | 'number';
  readonly default?: unknown;
  readonly description?: string;
  readonly regex?: string;
}

export interface TemplateFile {
  readonly component: readonly string[];
  readonly inputs: Readonly<Record<string, InputSpecification>>;
  /** As it stands in the file, before anything is inserted. */
  readonly body: string;
}

export interface Interpolation {
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** What `include:component` offers; absent for any other way to include. */
  readonly component?: Readonly<Record<string, string | null>>;
}

export function readTemplate(text: string): TemplateFile {
  const end = text.indexOf('\n---\n');
  const [header] = parseAllDocuments(text.slice(0, end));
  const { spec } = (header as { toJS(): { spec: Record<string, unknown> } }).toJS();
  return {
    component: (spec['component'] ?? []) as string[],
    inputs: spec['inputs'] as TemplateFile['inputs'],
    body: text.slice(end + '\n---\n'.length),
  };
}

/**
 * As GitLab does it: raw text goes into the file before YAML is read, and what is no string goes in
 * as JSON (lib/gitlab/ci/config/interpolation/text_template.rb). gitlab-ci-local escapes instead.
 */
export function interpolate(text: string, { inputs = {}, component }: Interpolation): string {
  const template = readTemplate(text);
  const problems = Object.keys(inputs).filter((name) => !(name in template.inputs));
  if (problems.length > 0) throw new Error(`unknown input: ${problems.join(', ')}`);
  const values = Object.fromEntries(
    Object.entries(template.inputs).map(([name, input]) => [name, readValue(name, input, inputs)]),
  );
  return template.body.replaceAll(/\$\[\[\s*(.*?)\s*\]\]/g, (_, access: string) => {
    const [context = '', key = ''] = access.split('.');
    const offered = context === 'component' ? sliceOf(component, template.component) : values;
    if (!(key in offered)) throw new Error(`unknown interpolation key: ${access}`);
    const value = offered[key];
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function sliceOf(component: Interpolation['component'] = {}, named: readonly string[]) {
  return Object.fromEntries(Object.entries(component).filter(([name]) => named.includes(name)));
}

function readValue(
  name: string,
  { type = 'string', regex, ...input }: InputSpecification,
  given: Readonly<Record<string, unknown>>,
): unknown {
  const value = name in given ? given[name] : input.default;
  if (value === undefined) throw new Error(`${name}: required value has not been provided`);
  const found = Array.isArray(value) ? 'array' : typeof value;
  if (found !== type) throw new Error(`${name}: provided value is not a ${type}`);
  if (regex !== undefined && !new RegExp(regex).test(String(value))) {
    throw new Error(`${name}: provided value does not match required RegEx pattern`);
  }
  return value;
}
