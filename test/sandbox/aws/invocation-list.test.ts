import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createRunningOrders } from '../../../src/adapters/aws/hosts/order-list.ts';
import { createRunCommand } from '../../../src/adapters/aws/hosts/run-command.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { connect } from '../../aws/sandbox-aws.ts';
import { openSandbox, until } from '../hosts/running-sandbox.ts';

let world: Awaited<ReturnType<typeof openSandbox>>;
let folder: string;
beforeEach(async () => {
  world = await openSandbox();
  folder = mkdtempSync(join(tmpdir(), 'list-'));
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

async function build(runnerName: string): Promise<string> {
  const { instanceIds } = await world.sandbox.stacks.apply({ runnerName, shard: 'pink' });
  const id = instanceIds[0] ?? '';
  await until(() => world.sandbox.fleet.find(id)?.state === 'running');
  return id;
}

/** Returns a script that runs until the test writes the file. */
const gated = (name: string) =>
  `until [ -e ${join(folder, name)} ]; do sleep 0.05; done\necho ${name}`;
const release = (name: string) => writeFileSync(join(folder, name), '');

test('two running commands are listed together, and each is read after its end', async () => {
  const [one, other] = [await build('linux'), await build('arm')];
  const ssm = connect(world.sandbox.ssmUrl);
  const calls: string[] = [];
  const clock = createSystemClock();
  const commands = createRunCommand({
    ssm: {
      ...ssm,
      send: (request) => {
        calls.push(request.what);
        return ssm.send(request);
      },
    },
    clock,
    running: createRunningOrders(clock),
  });
  const order = { comment: '', executionSeconds: 60, effect: 'read' } as const;
  const running = [
    commands.run({ ...order, hostId: one, script: gated('one') }),
    commands.run({ ...order, hostId: other, script: gated('other') }),
  ];
  await until(() => calls.filter((what) => what === 'ListCommandInvocations').length > 2);
  const reads = calls.filter((what) => what.startsWith('GetCommandInvocation')).length;
  release('one');
  release('other');
  const answers = await Promise.all(running);
  ssm.close();
  expect(answers).toMatchObject([
    { kind: 'ended', exitCode: 0, output: 'one\n' },
    { kind: 'ended', exitCode: 0, output: 'other\n' },
  ]);
  expect(reads).toBeLessThanOrEqual(4);
});

test('a list has pages, and filters by time and status', async () => {
  const id = await build('linux');
  for (const name of ['first', 'second', 'third'])
    await world.ssm.sendCommand({
      DocumentName: 'AWS-RunShellScript',
      InstanceIds: [id],
      Comment: name,
      Parameters: { commands: [gated(name)] },
    });
  const running = { key: 'Status', value: 'InProgress' } as const;
  const list = async (NextToken?: string) =>
    world.ssm.listCommandInvocations({ MaxResults: 2, Filters: [running], NextToken });
  const first = await until(async () => {
    const page = await list();
    return page.NextToken === undefined ? undefined : page;
  });
  const last = await list(first.NextToken);
  expect(
    [first, last].map((page) => page.CommandInvocations?.map(({ Comment }) => Comment)),
  ).toEqual([['third', 'second'], ['first']]);
  expect(last.NextToken).toBeUndefined();
  release('second');
  await until(async () => (await list()).NextToken === undefined);
  const hour = 3_600_000;
  const second = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '');
  const after = async (ms: number) =>
    (
      await world.ssm.listCommandInvocations({
        Filters: [{ key: 'InvokedAfter', value: second(ms) }],
      })
    ).CommandInvocations?.length;
  expect(await after(world.sandbox.clock.now() - hour)).toBe(3);
  expect(await after(world.sandbox.clock.now() + hour)).toBe(0);
  for (const name of ['first', 'third']) release(name);
  await until(async () => (await list()).CommandInvocations?.length === 0);
});

test.each([
  ['a page size above the limit', { MaxResults: 51 }, 'ValidationException'],
  ['an unknown token', { NextToken: 'made-up' }, 'InvalidNextToken'],
  ['an unknown filter', { Filters: [{ key: 'Comment', value: 'x' }] }, 'ValidationException'],
  [
    'a time with fractions of a second',
    { Filters: [{ key: 'InvokedAfter', value: '2026-11-02T08:00:00.000Z' }] },
    'ValidationException',
  ],
])('a list refuses %s', async (_, request, name) => {
  await expect(world.ssm.listCommandInvocations(request as object)).rejects.toMatchObject({ name });
});
