import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { validateConfiguration } from '../../../src/cli/validate-command.ts';
import { refusal } from '../../config/loading.ts';
import { isNever, renderPipeline } from '../../templates/configuration.ts';
import { problemsOf } from '../../templates/gitlab-schema.ts';
import { fill, init } from '../initialised.ts';

const pipelineOf = (files: Record<string, string>) => parse(files['.gitlab-ci.yml'] ?? '');
const jobNames = (files: Record<string, string>) =>
  Object.entries(renderPipeline(pipelineOf(files)))
    .filter(([, job]) => typeof job === 'object' && 'script' in job && !isNever(job))
    .map(([name]) => name);
const deployJobs = [
  'prepare',
  'onboard',
  'canary',
  'provision',
  'shutdown',
  'cleanup',
  'finalize',
].map((name) => `hosted_runner_${name}`);

describe.each([[['linux']], [['linux', 'arm', '64']]])('init for the stacks %j', (stacks) => {
  test.each([false, true])(
    'writes a pipeline whose inputs the components accept, with Terraform: %s',
    async (terraform) => {
      const { surroundings } = await init({}, { stacks, terraform });
      const document = pipelineOf(surroundings.folder.files);
      expect(problemsOf(document)).toEqual([]);
      expect(problemsOf(renderPipeline(document))).toEqual([]);
      expect(surroundings.folder.files['.gitlab-ci.yml']).toMatch(/group that publishes/);
      expect(document.workflow).toEqual({
        auto_cancel: { on_new_commit: 'none', on_job_failure: 'none' },
      });
      const components = document.include.map(
        ({ component }: { component: string }) => /(\w+)@/.exec(component)?.[1],
      );
      expect(components).toEqual([...stacks.map(() => 'deploy'), 'finalize']);
      const inputs = document.include.map((one: { inputs: Record<string, unknown> }) => one.inputs);
      expect(inputs.at(-1).runner_names).toEqual(stacks);
      for (const one of inputs)
        expect('aws_role_arn' in one && 'aws_region' in one).toBe(terraform);
    },
  );

  test('gives each stack separate jobs in one stage, with the configured canary', async () => {
    const { surroundings, written } = await init({}, { stacks });
    const { files } = surroundings.folder;
    const prefixes = stacks.map((name) => (stacks.length === 1 ? '' : `${name}:`));
    const names = jobNames(files);
    for (const prefix of prefixes)
      for (const job of deployJobs) expect(names).toContain(`${prefix}${job}`);
    const jobs = Object.values(renderPipeline(pipelineOf(files)));
    // A job of a later stage would wait for all jobs of an earlier stage.
    expect(new Set(jobs.filter((job) => 'script' in job).map((job) => job['stage'])).size).toBe(1);
    const { stacks: configured } = parse(written) as {
      stacks: Record<string, { canary?: { job_name: string } }>;
    };
    expect(
      stacks.map((name) => configured[name]?.canary?.job_name ?? 'hosted_runner_canary'),
    ).toEqual(prefixes.map((prefix) => `${prefix}hosted_runner_canary`));
  });

  test.each(['gitlab', 'github'] as const)(
    'writes a configuration that validates, for %s',
    async (ci) => {
      const { surroundings } = await init({}, { stacks, ci, terraform: true });
      const { files } = surroundings.folder;
      for (const [path, text] of Object.entries(files)) files[path] = fill(text);
      const common = { overrides: [], color: true };
      expect(await refusal(() => validateConfiguration(common, surroundings))).toBeUndefined();
      const { stacks: configured } = parse(files['hosted-runners.yml'] ?? '');
      expect(Object.keys(configured).sort()).toEqual([...stacks].sort());
    },
  );

  test('writes the variables of each stack, and names all stacks for the bootstrap', async () => {
    const { surroundings } = await init({}, { stacks, terraform: true });
    const { files } = surroundings.folder;
    for (const name of stacks)
      expect(files[`infrastructure/${name}.tfvars`]).toContain(
        `permissions_boundary = "hosted-runner-${name}-boundary"\n`,
      );
    expect(files['infrastructure/bootstrap/terraform.tfvars']).toContain(
      `stacks   = [${stacks.map((name) => `"${name}"`).join(', ')}]\n`,
    );
  });
});

test('init --json lists all files, all stacks and the places to fill in', async () => {
  const { text, surroundings } = await init(
    {},
    { stacks: ['linux', 'arm'], terraform: true, json: true },
  );
  const { files } = surroundings.folder;
  const output = JSON.parse(text);
  expect([...output.files].sort()).toEqual(Object.keys(files).sort());
  expect(output.stacks).toEqual(['linux', 'arm']);
  expect(output.snippet).toBe(files['.gitlab-ci.yml']);
  for (const { path, line, content } of output.fill_in)
    expect(files[path]?.split('\n')[line - 1]?.trim()).toBe(content);
  const places = new Set(output.fill_in.map(({ path }: { path: string }) => path));
  expect([...places]).toEqual([
    'hosted-runners.yml',
    'infrastructure/linux.tfvars',
    'infrastructure/arm.tfvars',
    'infrastructure/bootstrap/terraform.tfvars',
    '.gitlab-ci.yml',
  ]);
});

test('init leaves an existing CI file unchanged and prints the text to paste', async () => {
  const files = { '.gitlab-ci.yml': 'mine' };
  const { text, surroundings } = await init(files, { stacks: ['linux', 'arm'], force: true });
  expect(files['.gitlab-ci.yml']).toBe('mine');
  const written = await init({}, { stacks: ['linux', 'arm'] });
  expect(text).toContain(`\n${written.surroundings.folder.files['.gitlab-ci.yml']}`);
  expect(Object.keys(surroundings.folder.files)).not.toContain('.gitlab-ci.yml.new');
});

test('init names a configuration with another path in the pipeline', async () => {
  const { surroundings } = await init({}, { config: 'runners/all.yml' });
  const { include } = pipelineOf(surroundings.folder.files);
  expect(include.map(({ inputs }: { inputs: { config: string } }) => inputs.config)).toEqual([
    'runners/all.yml',
    'runners/all.yml',
  ]);
});

test('a stack with the longest name gets a prefix that the template accepts', async () => {
  const longest = 'x'.repeat(63);
  const { surroundings } = await init({}, { stacks: [longest, 'arm'] });
  const { include } = pipelineOf(surroundings.folder.files);
  expect(include[0].inputs.job_prefix).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$/);
  expect(jobNames(surroundings.folder.files)).toContain(`${longest}hosted_runner_prepare`);
});

test.each([
  [3, false],
  [4, true],
])('the bootstrap values of %i stacks name the quota of policies: %s', async (count, isNamed) => {
  const stacks = ['a', 'b', 'c', 'd'].slice(0, count);
  const { surroundings } = await init({}, { stacks, terraform: true });
  const text = surroundings.folder.files['infrastructure/bootstrap/terraform.tfvars'] ?? '';
  expect(text.includes('Increase the quota')).toBe(isNamed);
});
