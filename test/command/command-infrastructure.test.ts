import { describe, expect, test } from '@jest/globals';
import { openCalls } from '../../src/app/compose/port-calls.ts';
import type { Ports } from '../../src/ports/ports.ts';
import { createEventLines } from '../../src/report/event-file/event-lines.ts';
import { failureOf } from '../support/failure-of.ts';
import { apply, node, over, pink } from './commands.ts';

function printing(...lines: string[]): string[] {
  return node(`process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`);
}

describe('arguments', () => {
  test('are filled in inside of elements and go through no shell', async () => {
    const command = node(
      'console.log("words " + JSON.stringify(process.argv.slice(1)))',
      '{shard}-{runner_name}',
      '$(reboot); {other}',
    );
    expect(await apply(over(command))).toEqual([
      { kind: 'progress', text: 'words ["pink-linux","$(reboot); {other}"]' },
      { kind: 'done', counts: {}, outputs: {} },
    ]);
  });
});

describe('output', () => {
  test('is progress, and the last JSON object is the result', async () => {
    const command = printing(
      'Updating password hunter2',
      '{"early": true}',
      '{not JSON',
      '{"added": 3, "changed": 0, "destroyed": 1, "url": "https://x"}',
      'bye',
    );
    expect(await apply(over(command))).toEqual([
      { kind: 'progress', text: 'Updating password [redacted]' },
      { kind: 'progress', text: '{not JSON' },
      { kind: 'progress', text: 'bye' },
      {
        kind: 'done',
        counts: { added: 3, changed: 0, destroyed: 1 },
        outputs: { url: '(not shown)' },
      },
    ]);
  });

  test('spread over lines is a result, too, and not progress', async () => {
    const object = { token: 'a secret of its own', nested: { deep: [1] } };
    const command = printing('Outputs:', ...JSON.stringify(object, undefined, 2).split('\n'));
    expect(await apply(over(command))).toEqual([
      { kind: 'progress', text: 'Outputs:' },
      { kind: 'done', counts: {}, outputs: { token: '(not shown)', nested: '(not shown)' } },
    ]);
  });

  test.each<[string, object]>([
    [
      'terraform output -json',
      { db_password: { sensitive: true, type: 'string', value: 'a secret of its own' } },
    ],
    ['pulumi stack output --json --show-secrets', { db_password: 'a secret of its own' }],
    [
      'counts beside it',
      { added: 'a secret of its own', changed: 1, list: ['a secret of its own'] },
    ],
  ])('of %s stands with no value in the event file', async (_, object) => {
    const lines: string[] = [];
    const event = createEventLines({
      run: 'r1',
      clock: { now: () => 0, elapsed: () => 0 },
      redact: (text) => text,
      write: (line) => lines.push(line),
    });
    const infrastructure = over(printing(...JSON.stringify(object, undefined, 2).split('\n')));
    const { signal } = new AbortController();
    const calls = openCalls({ signal, stage: 'deploy', again: '', log: { event } });
    await apply(calls.around({ infrastructure } as unknown as Ports).cancelable.infrastructure);
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).not.toContain('a secret of its own');
  });

  test('that only begins like JSON is shown in the end', async () => {
    expect(await apply(over(printing('{', 'half')))).toEqual([
      { kind: 'progress', text: '{' },
      { kind: 'progress', text: 'half' },
      { kind: 'done', counts: {}, outputs: {} },
    ]);
  });

  test('counts that are no counts are left out', async () => {
    expect(await apply(over(printing('{"added": "3", "changed": -1, "destroyed": 1.5}')))).toEqual([
      { kind: 'done', counts: {}, outputs: {} },
    ]);
  });

  test('of standard error is progress', async () => {
    expect(await apply(over(node('console.error("planning")')))).toContainEqual({
      kind: 'progress',
      text: 'planning',
    });
  });
});

describe('environment', () => {
  const shown = node('console.log("seen " + JSON.stringify(process.env))');
  const environment = {
    AWS_REGION: 'eu-west-1',
    PULUMI_STACK: 'x',
    HOSTED_RUNNER_SANDBOX_URL: 'http://127.0.0.1:1',
    HOSTED_RUNNER_GITLAB_TOKEN: 'hidden',
    CI_JOB_TOKEN: 'hidden',
    GITLAB_TOKEN: 'hidden',
    SOMETHING: 'hidden',
    NAMED: 'passed',
  };

  test('has the usual, what is named and which shard it is, and no secret of ours', async () => {
    const events = await apply(
      over(shown, { environment, settings: { passEnvironment: ['NAMED'] } }),
    );
    const [told] = events;
    const seen = JSON.parse(told?.kind === 'progress' ? told.text.replace('seen ', '') : '{}');
    expect(Object.values(seen)).not.toContain('hidden');
    expect(seen).toMatchObject({
      AWS_REGION: 'eu-west-1',
      PULUMI_STACK: 'x',
      HOSTED_RUNNER_SANDBOX_URL: 'http://127.0.0.1:1',
      HOSTED_RUNNER_SHARD: 'pink',
      HOSTED_RUNNER_NAME: 'linux',
      NAMED: 'passed',
    });
  });
});

describe('existence', () => {
  test.each<[string, string, string]>([
    ['present', '{"exists": true}', 'present'],
    ['absent', '{"exists": false}', 'absent'],
    ['unknown without the word', '{"hosts": []}', 'unknown'],
    ['unknown with another word', '{"exists": "no"}', 'unknown'],
    ['unknown without JSON', 'none', 'unknown'],
  ])('is %s', async (_, output, expected) => {
    const infrastructure = over([], { settings: { outputs: printing(output) } });
    expect(await infrastructure.exists(pink)).toBe(expected);
  });

  test('is unknown without a command that tells it', async () => {
    expect(await over([]).exists(pink)).toBe('unknown');
  });

  test('cannot be told by a command that fails, and nothing happened', async () => {
    const infrastructure = over([], { settings: { outputs: node('process.exit(1)') } });
    expect(await failureOf(infrastructure.exists(pink))).toMatchObject({
      kind: 'refused',
      effect: 'none',
    });
  });
});

test('a plan is unknown', async () => {
  expect(await over([]).plan(pink)).toEqual({
    kind: 'unknown',
    summary: 'commands cannot tell what they would change',
  });
});
