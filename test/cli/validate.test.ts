import { expect, test } from '@jest/globals';
import { validateConfiguration } from '../../src/cli/validate-command.ts';
import { example, refusal } from '../config/loading.ts';
import { folderOf } from './folder-in-memory.ts';

async function validate(files: Record<string, string>, overrides: string[] = []) {
  let output = '';
  const exit = await validateConfiguration(
    { overrides, color: true },
    {
      folder: folderOf(files),
      environment: {},
      write: (text) => {
        output += text;
      },
    },
  );
  return { exit, text: output };
}

test('reports the effective configuration', async () => {
  expect(await validate({ 'hosted-runners.yml': example }, ['drain.poll_of_runner=10s'])).toEqual({
    exit: 0,
    text: `✔ hosted-runners.yml is valid: 2 stacks.
  linux: pink and purple for group 42 of https://gitlab.example.com · tags linux, docker · canary job · healthcheck 15m · drain 6h
  linux-large: pink and purple for group 42 of https://gitlab.example.com · tags linux-large · canary project · healthcheck 15m · drain no limit
  ⚠ linux: drain.poll_of_runner is shorter than a long poll (50s), so a runner that long-polls can take a job after it.
  ⚠ linux-large: drain.poll_of_runner is shorter than a long poll (50s), so a runner that long-polls can take a job after it.
`,
  });
});

test('names init if there is no configuration', async () => {
  expect((await refusal(() => validate({})))?.code).toBe('ConfigurationMissing');
});

test('warns about a variable file that does not exist, once for both shards', async () => {
  const terraform = `version: 1
defaults:
  gitlab: { url: https://gitlab.example.com }
  registration: { scope: group, group_id: 42, tags: [linux] }
  infrastructure:
    driver: terraform
    directory: infrastructure
    workspace: '{runner_name}-{shard}'
    var_files: ['{runner_name}.tfvars']
stacks: { linux: {}, arm: {} }
`;
  const files = { 'hosted-runners.yml': terraform, 'infrastructure/linux.tfvars': 'size = 1' };
  const { exit, text } = await validate(files);
  expect(exit).toBe(0);
  expect(text.match(/⚠.*/g)).toEqual([
    '⚠ arm: infrastructure/arm.tfvars does not exist (infrastructure.var_files). An earlier job has to create it.',
  ]);
});
