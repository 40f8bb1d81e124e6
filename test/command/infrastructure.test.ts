import { describe, expect, test } from '@jest/globals';
import { createCommandInfrastructure } from '../../src/command/infrastructure.ts';
import type { InfrastructureSettings } from '../../src/domain/settings.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { PortFailure } from '../../src/ports/failure.ts';
import type { Infrastructure, InfrastructureEvent } from '../../src/ports/infrastructure.ts';
import { createSystemClock } from '../../src/system/clock.ts';
import { stackShard } from '../contract/runner-host.contract.ts';

const pink = stackShard('pink', 'linux');
const unknownPlan = { kind: 'unknown', summary: '' } as const;

function node(script: string, ...rest: string[]): string[] {
  return [process.execPath, '-e', script, ...rest];
}

function over(
  apply: readonly string[],
  {
    settings = {},
    environment = {},
    clock = createSystemClock(),
    signal,
  }: {
    settings?: Partial<InfrastructureSettings>;
    environment?: Record<string, string>;
    clock?: Clock;
    signal?: AbortSignal;
  } = {},
): Infrastructure {
  return createCommandInfrastructure({
    settings: {
      driver: 'command',
      apply,
      destroy: apply,
      passEnvironment: [],
      timeoutMs: 20_000,
      ...settings,
    },
    environment: { PATH: process.env['PATH'], ...environment },
    clock,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    signal,
  });
}

async function collect(events: AsyncIterable<InfrastructureEvent>): Promise<InfrastructureEvent[]> {
  const all: InfrastructureEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const apply = (infrastructure: Infrastructure) => collect(infrastructure.apply(pink, unknownPlan));

async function failureOf(asked: Promise<unknown>): Promise<PortFailure> {
  return asked.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: PortFailure) => error,
  );
}

function printing(...lines: string[]): string[] {
  return node(`process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`);
}

describe('arguments', () => {
  test('are filled in inside of elements and go through no shell', async () => {
    const command = node(
      'console.log(JSON.stringify({ words: process.argv.slice(1) }))',
      '{shard}-{runner_name}',
      '$(reboot); {other}',
    );
    expect(await apply(over(command))).toEqual([
      {
        kind: 'done',
        counts: {},
        outputs: { words: ['pink-linux', '$(reboot); {other}'] },
      },
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
        outputs: { url: 'https://x' },
      },
    ]);
  });

  test('spread over lines is a result, too, and not progress', async () => {
    const object = { token: 'a secret of its own', nested: { deep: [1] } };
    const command = printing('Outputs:', ...JSON.stringify(object, undefined, 2).split('\n'));
    expect(await apply(over(command))).toEqual([
      { kind: 'progress', text: 'Outputs:' },
      { kind: 'done', counts: {}, outputs: object },
    ]);
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
  const shown = node('console.log(JSON.stringify(process.env))');
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
    const done = events.at(-1);
    const seen = done?.kind === 'done' ? done.outputs : {};
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

describe('failures', () => {
  test('a command that fails may have done anything and is quoted', async () => {
    const command = node('console.error("first"); console.error("no hunter2"); process.exit(3)');
    expect(await failureOf(apply(over(command)))).toMatchObject({
      kind: 'refused',
      effect: 'unknown',
      source: `infrastructure command apply (${process.execPath})`,
      detail: 'exit code 3: "no [redacted]"',
    });
  });

  test('a command that is not there did nothing', async () => {
    expect(await failureOf(apply(over(['no-such-command'])))).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: 'command not found: no-such-command',
    });
  });

  test('a command that is no program did nothing', async () => {
    expect(await failureOf(apply(over(['/dev/null'])))).toMatchObject({
      effect: 'none',
      detail: 'not executable: /dev/null',
    });
  });

  test('a working directory that is not there is named', async () => {
    const infrastructure = over(node(''), { settings: { workingDirectory: '/no/such/folder' } });
    expect(await failureOf(apply(infrastructure))).toMatchObject({
      effect: 'none',
      detail: 'infrastructure.working_directory is not a directory',
    });
  });

  test('a command that ends itself by a signal fails', async () => {
    expect(
      await failureOf(apply(over(node('process.kill(process.pid, "SIGKILL")')))),
    ).toMatchObject({ effect: 'unknown', detail: 'ended by SIGKILL' });
  });

  test('a command that takes too long is interrupted and may have done anything', async () => {
    const command = node(
      'process.on("SIGINT", () => process.exit(0)); setInterval(() => {}, 1000)',
    );
    const infrastructure = over(command, { settings: { timeoutMs: 400 } });
    expect(await failureOf(apply(infrastructure))).toMatchObject({
      kind: 'unreachable',
      effect: 'unknown',
      detail: 'it did not end within infrastructure.timeout',
    });
  });
});

describe('a cancel', () => {
  /** Says when it is up, and how often it was interrupted when it ends. */
  const patient = node(
    'let n = 0; process.on("SIGINT", () => { n += 1; console.log("interrupted", n); setTimeout(() => process.exit(0), 50) }); console.log("up"); setInterval(() => {}, 1000)',
  );

  test('interrupts the command once and ends with its own reason', async () => {
    const cancel = new AbortController();
    const seen: string[] = [];
    const infrastructure = over(patient, { signal: cancel.signal });
    const run = async () => {
      for await (const event of infrastructure.apply(pink, unknownPlan)) {
        if (event.kind === 'progress') seen.push(event.text);
        if (seen.includes('up')) cancel.abort(new Error('cancelled by a person'));
      }
    };
    await expect(run()).rejects.toThrow('cancelled by a person');
    expect(seen).toEqual(['up', 'interrupted 1']);
  });

  test('kills what does not end in five seconds, with its children', async () => {
    const cancel = new AbortController();
    const graces: number[] = [];
    const system = createSystemClock();
    const clock: Clock = {
      ...system,
      sleep: (durationMs, signal) => {
        if (durationMs === 5000) graces.push(durationMs);
        return system.sleep(durationMs === 5000 ? 50 : durationMs, signal);
      },
    };
    const child = 'process.on("SIGINT", () => {}); setInterval(() => {}, 1000)';
    const command = node(
      `process.on("SIGINT", () => {}); require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit" }).on("spawn", () => console.log("up")); setInterval(() => {}, 1000)`,
    );
    const infrastructure = over(command, { clock, signal: cancel.signal });
    const run = async () => {
      for await (const _ of infrastructure.apply(pink, unknownPlan)) {
        cancel.abort(new Error('cancelled'));
      }
    };
    // Its output has ended, which the child's own child held open, too.
    await expect(run()).rejects.toThrow('cancelled');
    expect(graces).toEqual([5000]);
  });

  test('before the start starts nothing', async () => {
    const infrastructure = over(['no-such-command'], {
      signal: AbortSignal.abort(new Error('cancelled before')),
    });
    await expect(apply(infrastructure)).rejects.toThrow('cancelled before');
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
