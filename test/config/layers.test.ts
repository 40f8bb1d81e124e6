import { describe, expect, test } from '@jest/globals';
import { selectShard, selectStack } from '../../src/config/load.ts';
import { stageNames } from '../../src/domain/deployment/stages-and-steps.ts';
import { keyTable } from '../../src/domain/keys/key-table.ts';
import { example, load, loadStack, minimal, problemsOf, refusal, withKeys } from './loading.ts';

describe('the precedence of values', () => {
  const text = minimal.replace('defaults:\n', 'defaults:\n  managers: 2\n');
  const inStack = `${text}    managers: 3\n`;
  const environment = { HOSTED_RUNNER_MANAGERS: '4' };

  test.each([
    ['the built-in default', { text: minimal }, 1],
    ['defaults', { text }, 2],
    ['the stack', { text: inStack }, 3],
    ['the environment', { text: inStack, environment }, 4],
    ['--set', { text: inStack, environment, overrides: ['managers=5'] }, 5],
    ['the last --set', { text: inStack, overrides: ['managers=5', 'managers=6'] }, 6],
  ])('ends with the strongest: %s', async (_name, given, managers) => {
    expect((await loadStack(given)).managers).toBe(managers);
  });

  test('ignores an empty variable', async () => {
    const given = { text: inStack, environment: { HOSTED_RUNNER_MANAGERS: '' } };
    expect((await loadStack(given)).managers).toBe(3);
  });
});

describe('the merge of keys', () => {
  test('keeps the other keys of a section if a stack sets one', async () => {
    const stack = await loadStack({ text: withKeys('registration: {run_untagged: true}') });
    expect(stack.registration).toMatchObject({ tags: ['linux'], runUntagged: true });
  });

  test('replaces a whole list', async () => {
    const stack = await loadStack({ text: withKeys('registration: {tags: [a, b]}') });
    expect(stack.registration.tags).toEqual(['a', 'b']);
  });

  test('removes a limit of `defaults` with none', async () => {
    const limited = minimal.replace('defaults:\n', 'defaults:\n  drain: {timeout: 2h}\n');
    expect((await loadStack({ text: limited })).drain.timeoutMs).toBe(7_200_000);
    const lifted = `${limited}    drain: {timeout: none}\n`;
    expect('timeoutMs' in (await loadStack({ text: lifted })).drain).toBe(false);
  });

  test('ignores the id of a scope that a stack no longer uses', async () => {
    const grouped = minimal.replace('scope: instance', 'scope: group\n    group_id: 7');
    const text = `${grouped}    registration: {scope: project, project_id: 9}\n`;
    expect((await loadStack({ text })).registration.scope).toEqual({
      kind: 'project',
      projectId: 9,
    });
  });

  test('accepts a section with comments only', async () => {
    expect((await loadStack({ text: withKeys('drain:', '  # timeout: 3h') })).drain.pollMs).toBe(
      1500,
    );
  });
});

describe('the variable and the flag of a key', () => {
  test.each(keyTable.map((one) => [one.name, one] as const))('work for %s', async (name, one) => {
    // No key accepts this value, so the error proves that it arrived.
    const hostile = one.accepts.type === 'argv' ? '{}' : ' \u0007';
    const variable = await problemsOf({ environment: { [one.variable]: hostile } });
    expect(variable.some((line) => line.startsWith(`${one.variable}: ${name}`))).toBe(true);
    const flag = await problemsOf({ overrides: [`${name}=${hostile}`] });
    expect(flag.some((line) => line.startsWith(`--set ${name}: ${name}`))).toBe(true);
  });

  test('never collide with those of another key', () => {
    const variables = keyTable.map((one) => one.variable);
    expect(new Set(variables).size).toBe(variables.length);
  });

  test('accept lists with commas or as JSON, and commands as JSON', async () => {
    const stack = await loadStack({
      overrides: [
        'registration.tags=a, b',
        'shards=["x","y"]',
        'infrastructure.apply=["./up now","{shard}"]',
        'registration.run_untagged=true',
      ],
    });
    expect(stack.registration).toMatchObject({ tags: ['a', 'b'], runUntagged: true });
    expect(stack.shards).toEqual(['x', 'y']);
    expect(stack.infrastructure).toMatchObject({ apply: ['./up now', '{shard}'] });
  });
});

describe('environment variables', () => {
  test('cause an error with a suggestion if they are unknown', async () => {
    const environment = { HOSTED_RUNNER_DRAIN_TIMOUT: '2h', HOSTED_RUNNER_ZZZZZZZZZZZZZZ: '1' };
    expect(await problemsOf({ environment })).toEqual([
      'HOSTED_RUNNER_DRAIN_TIMOUT: unknown variable; did you mean "HOSTED_RUNNER_DRAIN_TIMEOUT"?',
      'HOSTED_RUNNER_ZZZZZZZZZZZZZZ: unknown variable',
    ]);
  });

  test('appear on one line if their name has a line break', async () => {
    const environment = { 'HOSTED_RUNNER_X\n  now  Nothing was touched.': '1' };
    expect(await problemsOf({ environment })).toEqual([
      'HOSTED_RUNNER_X\\u000a  now  Nothing was touched.: unknown variable',
    ]);
  });

  test.each(['RUNNER', 'STACK', 'STACK_NAME'])(
    'cause a suggestion for a common name of a stack: %s',
    async (word) => {
      expect(await problemsOf({ environment: { [`HOSTED_RUNNER_${word}`]: 'linux' } })).toEqual([
        `HOSTED_RUNNER_${word}: unknown variable; did you mean "HOSTED_RUNNER_RUNNER_NAME"?`,
      ]);
    },
  );

  test.each([
    'CONFIG',
    'RUNNER_NAME',
    'GITLAB_TOKEN',
    'DEPLOYMENT',
    'SANDBOX_URL',
    'JOB_TIMEOUT',
    'PIPELINE_CREATED_AT',
    'EVIDENCE_FILE',
    'SHARD',
    'NAME',
  ])('include HOSTED_RUNNER_%s', async (name) => {
    expect(await problemsOf({ environment: { [`HOSTED_RUNNER_${name}`]: 'x' } })).toEqual([]);
  });
});

describe('the address of GitLab', () => {
  const read = (url: string) => loadStack({ overrides: [`gitlab.url=${url}`] });

  test.each([
    ['https://gitlab.example.com', 'https://gitlab.example.com'],
    ['https://GitLab.example.com/', 'https://gitlab.example.com'],
    ['https://example.com:8443/gitlab/', 'https://example.com:8443/gitlab'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('reads %s as %s', async (url, expected) => {
    expect((await read(url)).gitlabUrl).toBe(expected);
  });

  test.each([
    ['http://gitlab.example.com', ''],
    ['http://127.0.0.1.evil.example', ': its host is not loopback'],
    ['http://localhost.evil.example', ': its host is not loopback'],
    ['https://gitlab.example.com/api/v4', ': leave out the /api/… part'],
    ['https://person@gitlab.example.com', ''],
    ['https://gitlab.example.com?x=1', ''],
    ['https://gitlab.example.com\\evil', ''],
    ['ftp://gitlab.example.com', ''],
    ['gitlab.example.com', ''],
    ['javascript:alert(1)', ''],
  ])('refuses %s', async (url, reason) => {
    expect(await problemsOf({ overrides: [`gitlab.url=${url}`] })).toEqual([
      `--set gitlab.url: gitlab.url: expected an https:// URL (http:// only for loopback), found ${JSON.stringify(url)}${reason}`,
    ]);
  });
});

describe('the selected stack', () => {
  test('can be selected by its name', async () => {
    expect(selectStack(await load(), 'linux-large').managers).toBe(2);
  });

  test('causes a suggestion if it is misspelt', async () => {
    const configuration = await load({ text: example });
    const error = await refusal(() => selectStack(configuration, 'linus'));
    expect(error?.fields).toEqual({
      code: 'UnknownStack',
      exitCode: 2,
      what: 'There is no stack "linus" in hosted-runners.yml.',
      why: ['Stacks in hosted-runners.yml: linux, linux-large.'],
      now: 'Nothing was touched.',
      fix: ['Did you mean: --runner linux'],
    });
  });

  test.each(['__proto__', 'constructor', '../linux'])('causes an error for %s', async (name) => {
    const configuration = await load();
    expect((await refusal(() => selectStack(configuration, name)))?.code).toBe('UnknownStack');
  });
});

describe('the selected shard', () => {
  test.each(['pink', 'purple'])('can be selected as %s, as typed', async (name) => {
    expect(selectShard(await loadStack({}), name)).toBe(name);
  });

  test.each([
    ['pnk', ['Did you mean: --shard pink']],
    ['Purple', ['Did you mean: --shard purple']],
    ['', ['Name one of the shards: --shard pink, or --shard purple']],
    ['__proto__', ['Name one of the shards: --shard pink, or --shard purple']],
  ])('causes an error for %j, which neither shard has', async (name, [fix = '']) => {
    const stack = await loadStack({});
    const error = await refusal(() => selectShard(stack, name));
    expect({ code: error?.code, fix: error?.fields.fix?.[0] }).toEqual({
      code: 'UnknownShard',
      fix,
    });
  });
});

test.each(stageNames.filter((stage) => stage !== 'prepare'))(
  'the stage %s may have its own role',
  async (stage) => {
    const role = `arn:aws:iam::111122223333:role/${stage}`;
    const { aws } = await loadStack({ text: withKeys(`aws: {stage_roles: ["${stage}=${role}"]}`) });
    expect(aws.stageRoles).toEqual({ [stage]: role });
  },
);
