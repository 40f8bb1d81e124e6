import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Running, waitUntil } from '../world/running.ts';
import { openWorld, type World, writeConfiguration } from '../world/world.ts';

let world: World;
let config: string;

beforeAll(async () => {
  world = await openWorld();
  const own = readFileSync(world.environment['HOSTED_RUNNER_CONFIG'] ?? '', 'utf8');
  // Configuration with the sandbox's own stack, and one with unreadable parameters.
  const second = '  lost:\n    registration: { tags: [lost] }\n';
  config = writeConfiguration(world, 'two.yml', `${own.trimEnd()}\n${second}`);
  const { faults } = world.sandbox;
  const usual = faults.pick;
  const effect = { kind: 'status', status: 403 } as const;
  faults.pick = (call) =>
    call.parameters?.includes('/lost/') ? { id: 'denied', service: 'ssm', effect } : usual(call);
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
});
afterAll(() => world.close());

const addressOf = (running: Running) =>
  waitUntil('it listens', async () => /http:\/\/127\.0\.0\.1:\d+/.exec(running.text())?.[0]);

const secrets = () => [
  world.environment['HOSTED_RUNNER_GITLAB_TOKEN'] ?? 'none',
  world.environment['AWS_SECRET_ACCESS_KEY'] ?? 'none',
];

test('--once writes one read to a file, with the stack that cannot be read', async () => {
  const args = ['dashboard', '--once', 'page.html', '--config', config];
  const end = await world.run({ args });
  expect({ exitCode: end.exitCode, stdout: end.stdout }).toEqual({
    exitCode: 0,
    stdout: 'Wrote page.html: 1 of 2 stacks could be read.\n',
  });
  expect(end.stderr).toMatch(
    /^! lost: SSM GetParameter \/gitlab\/\S+: the call is not permitted\./,
  );
  const page = readFileSync(join(world.folder, 'page.html'), 'utf8');
  for (const part of [
    'pink accepts jobs: ',
    'version 19.4.0, ',
    'hosted-runner explain PermissionMissing',
    'A snapshot: this page does not refresh.',
  ])
    expect(page).toContain(part);
  for (const secret of secrets()) expect(page).not.toContain(secret);
  expect(page).not.toMatch(/\d\dT\d\d:\d\d:\d\d|undefined|\[object/);
});

test('a missing folder causes an error', async () => {
  const end = await world.run({ args: ['dashboard', '--once', 'nowhere/page.html'] });
  expect(end).toMatchObject({ exitCode: 2, code: 'SnapshotUnwritable' });
});

test('the page shows later changes, and ends with its command', async () => {
  const args = ['dashboard', '--port', '0', '--every', '1s', '--config', config];
  const dashboard = world.start({ args });
  const address = await addressOf(dashboard);
  const part = async () => (await fetch(`${address}/stacks`)).text();
  const first = await waitUntil('pink', async () => {
    const text = await part();
    return text.includes('pink accepts jobs') && text.includes('PermissionMissing')
      ? text
      : undefined;
  });
  expect(first).not.toContain('HELD by');
  expect((await fetch(address, { method: 'POST' })).status).toBe(405);

  expect(
    await world.stage('hold', { args: ['--reason', '<b>noon</b>', '--config', config] }),
  ).toMatchObject({ exitCode: 0 });
  const held = await waitUntil('held', async () => {
    const text = await part();
    return text.includes('HELD by') ? text : undefined;
  });
  expect(held).toContain('&lt;b&gt;noon&lt;/b&gt;');
  for (const secret of secrets()) expect(held).not.toContain(secret);

  dashboard.kill('SIGTERM');
  expect(await dashboard.ended).toMatchObject({ exitCode: 0, stderr: '' });
});
