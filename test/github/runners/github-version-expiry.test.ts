import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RunnerRegistry } from '../../../src/ports/registry.ts';
import { createSandboxGitHub, registryOf, type SandboxGitHub } from '../sandbox-github.ts';

let sandbox: SandboxGitHub;
let registry: RunnerRegistry;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
  registry = registryOf(sandbox);
});
afterEach(() => sandbox.close());

test.each([
  ['2.336.0', { kind: 'ends', at: '2026-11-05T00:00:00Z' }],
  ['2.337.0', { kind: 'none' }],
] as const)('GitHub reports the expiry of version %s', async (version, ending) => {
  expect(await registry.readEnding(version)).toEqual(ending);
});

test.each(['2.300.0', '', '../..', '2.337.0-dev'])(
  'the expiry of version "%s" is unknown',
  async (version) => {
    expect(await registry.readEnding(version)).toMatchObject({ kind: 'unknown' });
  },
);

test('a known expiry of a version is not read again, and an unknown one is', async () => {
  for (const version of ['2.336.0', '2.336.0', '2.337.0', '2.337.0', '2.300.0', '2.300.0'])
    await registry.readEnding(version);
  const requested = sandbox.sent.map((call) => call.split('/').at(-1));
  expect(requested).toEqual(['2.336.0', '2.337.0', '2.300.0', '2.300.0']);
});

test.each([403, 500])('the response %s leaves the expiry of a version unknown', async (status) => {
  const match = { method: 'GET' };
  const effect = { kind: 'status', status } as const;
  sandbox.faults.add({ id: 'deaf', service: 'github', match, effect });
  expect(await registry.readEnding('2.337.0')).toMatchObject({ kind: 'unknown' });
});

test('a runner whose version has expired registers, and is refused when it listens', async () => {
  const { token } = await registry.resetToken(
    (
      await registry.create({
        shard: { shard: 'pink' as never, runnerName: 'linux' as never },
        settings: {} as never,
        tags: ['linux'],
        note: '',
      })
    ).id,
  );
  const name = 'pink-linux-i-0123456789abcdef0';
  const arrival = { token, name, labels: ['linux'], version: '2.335.1' };
  const { credential } = sandbox.github.runnerSide.register(arrival);
  expect(() => sandbox.github.runnerSide.take(credential)).toThrow(
    'Runner version v2.335.1 is deprecated',
  );
});
