import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { catalogProject } from '../../src/config/inputs/component-own-inputs.ts';
import { filesBelow, read } from '../structure/tree.ts';
import { renderTemplate } from '../templates/configuration.ts';
import { problemsOf } from '../templates/gitlab-schema.ts';
import { diagnose, type GitHubLanguage, loadGitHubLanguage } from '../workflow/github-language.ts';
import { blockOf } from './shown-blocks.ts';

interface Include {
  readonly component?: string;
  readonly file?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

describe('GitLab examples in the documentation', () => {
  test.each([
    ['docs/use/gitlab.md', 'The include 1'],
    ['docs/use/gitlab.md', 'The include 2'],
    ['docs/use/gitlab.md', 'Pipeline settings 1'],
    ['docs/use/gitlab.md', 'Results 1'],
    ['docs/use/gitlab.md', 'Recovery jobs 1'],
  ])('pass GitLab’s schema, with known template inputs: %s, %s', (document, name) => {
    const parts = parseAllDocuments(blockOf(document, name)).map((part) => part.toJS());
    expect(parts.flatMap(problemsOf)).toEqual([]);
    const { include = [] } = parts.at(-1) as { include?: Include[] };
    for (const { component, file, inputs } of include) {
      const template = /(\w+)(?:@|\/template\.yml$)/.exec(component ?? file ?? '')?.[1] ?? '';
      // An input of the pipeline is empty by default.
      const given = Object.entries(inputs).map(([key, value]) => [
        key,
        typeof value === 'string' ? value.replace(/\$\[\[.*\]\]/, '') : value,
      ]);
      const jobs = renderTemplate(template, { inputs: Object.fromEntries(given) });
      expect(problemsOf(jobs)).toEqual([]);
    }
  });
});

describe('GitHub examples in the documentation', () => {
  let language: GitHubLanguage;
  beforeAll(async () => {
    language = await loadGitHubLanguage();
  });
  const checkWorkflow = (text: string) => diagnose(language, '.github/workflows/shown.yml', text);

  test('contain no error in the secrets of a private repository', async () => {
    const [head = ''] = read('examples/github/minimal.yml').split('    secrets:\n');
    const text = `${head}${blockOf('docs/use/github.md', 'A private repository 1')}`;
    expect(await checkWorkflow(text)).toEqual([]);
    expect(await checkWorkflow(text.replace('action_token', 'acton_token'))).not.toEqual([]);
  });

  test('contain no error in the action alone, as the steps of a job', async () => {
    const steps = blockOf('docs/use/github.md', 'The action alone 1').replace(/^/gm, '      ');
    const text = `on: push\njobs:\n  look:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;
    expect(await checkWorkflow(text)).toEqual([]);
    expect(await checkWorkflow(text.replace('runner_name', 'runner'))).not.toEqual([]);
    const { outputs } = parse(read('action.yml'));
    const named = [...steps.matchAll(/steps\.health\.outputs\.(\w+)/g)].map(([, one]) => one ?? '');
    expect(named.filter((one) => !(one in outputs))).toEqual([]);
  });
});

test.each([
  ['docs/use/gitlab.md', 'AWS credentials 1', 'gitlab'],
  ['docs/use/github.md', 'The role on AWS 1', 'github'],
])('%s shows the trust condition of examples/iam', (document, name, provider) => {
  const { Statement } = JSON.parse(read(`examples/iam/trust-${provider}.json`));
  const [{ Sid: _, ...statement }] = Statement;
  const shown = JSON.parse(blockOf(document, name));
  expect(shown).toEqual(shown.Effect === undefined ? statement.Condition : statement);
});

// The project's address depends on its publisher on the reader's server. Each page with such an
// address must explain this.
describe('an address with the publisher’s name', () => {
  const places = ['README.md', ...['docs/use', 'examples', 'templates'].flatMap(filesBelow)];
  const naming = (address: RegExp) => places.filter((path) => address.test(read(path)));

  test.each(naming(/(?:OWNER|FILL_IN)\/hosted-runner-deploy[/@]/))(
    'comes in %s with the user or organization on GitHub',
    (path) => {
      expect(read(path)).toMatch(/user or organization that publishes/);
    },
  );

  test.each(naming(new RegExp(`/(?:${catalogProject}|FILL_IN/hosted-runner-deploy)/[a-z]+@`)))(
    'comes in %s with the group on GitLab',
    (path) => {
      expect(read(path)).toMatch(/group that publishes/);
    },
  );
});
