import { catalogProject } from '../../src/config/inputs/component-own-inputs.ts';
import {
  findTemplate,
  type Template,
  templates,
} from '../../src/config/inputs/component-templates.ts';
import type { TemplateInput } from '../../src/config/inputs/template-input.ts';
import { version } from '../../src/domain/project.ts';
import { code, table } from '../markdown.ts';

/** Renders the parts of a template that depend on its inputs: the header and the variables. */
export function renderTemplate(name: string, text: string): string {
  const { inputs, summary } = findTemplate(name);
  const [, ...body] = text.split(/^---\n/m);
  const variables = inputs.flatMap(renderVariable);
  return [header(summary, inputs), withRegion(body.join('---\n'), variables)].join('---\n');
}

function header(summary: string, inputs: readonly TemplateInput[]): string {
  return `# ${summary}
# Edit the jobs below the line of dashes. \`npm run generate\` writes the header and the list of variables from
# src/config.
spec:
  inputs:
${inputs.map(renderInput).join('')}`;
}

function renderInput(input: TemplateInput): string {
  const { name, type, description, regex } = input;
  const fields = [
    ['description', JSON.stringify(description)],
    ...(type === 'string' ? [] : [['type', type]]),
    // JSON is YAML without YAML's special words: GitLab would read a bare `off` as false.
    ...(input.default === undefined ? [] : [['default', JSON.stringify(input.default)]]),
    ...(regex === undefined ? [] : [['regex', JSON.stringify(regex)]]),
  ] as const;
  return `    ${name}:\n${fields.map(([field, value]) => `      ${field}: ${value}\n`).join('')}`;
}

function renderVariable({ name, variable }: TemplateInput): readonly string[] {
  return variable === undefined
    ? []
    : [`    ${variable}: { value: "$[[ inputs.${name} ]]", expand: false }\n`];
}

const begin = '    # <from the inputs>\n';
const end = '    # </from the inputs>\n';

function withRegion(body: string, lines: readonly string[]): string {
  const from = body.indexOf(begin);
  const to = body.indexOf(end);
  if (from < 0 || to < from) throw new RangeError(`The template has no "${begin.trim()}".`);
  return body.slice(0, from + begin.length) + lines.join('') + body.slice(to);
}

/** Renders the README beside the template, which the CI/CD catalog shows. */
export function renderComponentReadme(name: string): string {
  const { summary, inputs } = findTemplate(name);
  return `# ${name}

<!-- Generated from src/config by \`npm run generate\`; edits here are lost. -->

${summary} If an input is empty, \`hosted-runners.yml\` applies.

${usage({ name, inputs })}

${publisher}

${inputTable(inputs)}

Usage: [docs/use/gitlab.md](../../docs/use/gitlab.md). All components: [docs/use/inputs-gitlab.md](../../docs/use/inputs-gitlab.md).
`;
}

const [group = ''] = catalogProject.split('/');
/** Explanation of the group in the address, for users who copy it. */
const publisher = `After \`component:\`, replace the group \`${group}\` with the group that publishes this project on your GitLab.`;

function usage({ name, inputs }: Pick<Template, 'name' | 'inputs'>): string {
  const required = inputs
    .filter((input) => input.default === undefined)
    .map((input) => `      ${input.name}: ${input.type === 'array' ? '[…]' : '…'}`);
  return `\`\`\`yaml
include:
  - component: $CI_SERVER_FQDN/${catalogProject}/${name}@${version}
    inputs:
${required.join('\n')}
\`\`\``;
}

function inputTable(inputs: Template['inputs']): string {
  return table(['input', 'value', 'default', 'purpose'], inputs.map(describe));
}

export function renderInputReference(): string {
  const parts = templates.map(
    ({ name, summary, inputs }) =>
      `## ${name}\n\n${summary}\n\n${usage({ name, inputs })}\n\n${inputTable(inputs)}\n`,
  );
  return `# Inputs of the GitLab templates

<!-- Generated from src/config by \`npm run generate\`; edits here are lost. -->

Usage: [gitlab.md](gitlab.md). If an input is empty, \`hosted-runners.yml\` applies
([configuration.md](configuration.md)).

Before GitLab creates a pipeline, it checks inputs that have a pattern. The first job checks the other inputs, and ends
with exit code 2 before any change if one is invalid.

${publisher}

${parts.join('\n')}`;
}

function describe({ name, type, description, regex, ...input }: TemplateInput): readonly string[] {
  const value = regex === undefined ? (input.expected ?? type) : code(regex);
  const initial = input.default === undefined ? '**required**' : defaultText(input.default);
  return [code(name), value, initial, description];
}

function defaultText(value: unknown): string {
  return value === '' ? '' : code(typeof value === 'string' ? value : JSON.stringify(value));
}
