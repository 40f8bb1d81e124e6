import { describe, expect, test } from '@jest/globals';
import { openCalls } from '../../src/app/compose/port-calls.ts';
import type { Ports } from '../../src/ports/ports.ts';
import { createEventLines } from '../../src/report/event-file/event-lines.ts';
import { failureOf } from '../support/failure-of.ts';
import { apply, node, over, pink } from './commands.ts';

function printing(...lines: string[]): string[] {
  return node(`process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`);
}

describe('the arguments of a command', () => {
  test('get their placeholders filled in without a shell', async () => {
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

describe('the output of a command', () => {
  test('shows progress, and its last JSON object is the result', async () => {
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

  test('may spread the result over several lines', async () => {
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
  ])('never stores a value in the event file: %s', async (_, object) => {
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

  test('prints lines that only begin like JSON', async () => {
    expect(await apply(over(printing('{', 'half')))).toEqual([
      { kind: 'progress', text: '{' },
      { kind: 'progress', text: 'half' },
      { kind: 'done', counts: {}, outputs: {} },
    ]);
  });

  test('loses invalid counts', async () => {
    expect(await apply(over(printing('{"added": "3", "changed": -1, "destroyed": 1.5}')))).toEqual([
      { kind: 'done', counts: {}, outputs: {} },
    ]);
  });

  test('shows standard error as progress', async () => {
    expect(await apply(over(node('console.error("planning")')))).toContainEqual({
      kind: 'progress',
      text: 'planning',
    });
  });
});

describe('the environment of a command', () => {
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

  test('contains the usual and the named variables and the shard, and no secret', async () => {
    const events = await apply(
      over(shown, { environment, settings: { passEnvironment: ['NAMED'] } }),
    );
    const [event] = events;
    const seen = JSON.parse(event?.kind === 'progress' ? event.text.replace('seen ', '') : '{}');
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

describe('the existence of resources', () => {
  test.each<[string, string, string]>([
    ['present', '{"exists": true}', 'present'],
    ['absent', '{"exists": false}', 'absent'],
    ['unknown without the key', '{"hosts": []}', 'unknown'],
    ['unknown with another value', '{"exists": "no"}', 'unknown'],
    ['unknown without JSON', 'none', 'unknown'],
  ])('stays %s', async (_, output, expected) => {
    const infrastructure = over([], { settings: { outputs: printing(output) } });
    expect(await infrastructure.exists(pink)).toBe(expected);
  });

  test('stays unknown without a command for it', async () => {
    expect(await over([]).exists(pink)).toBe('unknown');
  });

  test('causes an error without an effect if its command fails', async () => {
    const infrastructure = over([], { settings: { outputs: node('process.exit(1)') } });
    expect(await failureOf(infrastructure.exists(pink))).toMatchObject({
      kind: 'refused',
      effect: 'none',
    });
  });
});

test('a plan of the command driver is always unknown', async () => {
  expect(await over([]).plan(pink)).toEqual({
    kind: 'unknown',
    summary: 'commands cannot report what they would change',
  });
});
