import { expect, test } from '@jest/globals';
import { type Running, waitUntil } from '../world/running.ts';
import { openWorld, type World } from '../world/world.ts';

function addressOf(endpoint: Running): Promise<string> {
  return waitUntil(
    'it listens',
    async () => /http:\/\/127\.0\.0\.1:\d+/.exec(endpoint.text())?.[0],
  );
}

async function health(address: string) {
  const answer = await fetch(`${address}/health`);
  const body = (await answer.json()) as { status: string; components?: Record<string, unknown> };
  return { status: answer.status, body };
}

async function startEndpoint(world: World, set: readonly string[]): Promise<Running> {
  return world.start({
    args: ['healthcheck', '--runner', 'linux', '--listen', '127.0.0.1:0', '--every', '20s'],
    set,
  });
}

test('the endpoint tells of a shard while it serves, is ill, and of its own end', async () => {
  const world = await openWorld();
  try {
    const reach = `healthcheck.reach=${world.sandbox.url}/api/v4/version`;
    expect(await world.stage('deploy', { set: [reach] })).toMatchObject({ exitCode: 0 });
    const endpoint = await startEndpoint(world, [reach, 'healthcheck.evidence.workload=required']);
    const address = await addressOf(endpoint);
    const healthy = await waitUntil('healthy', async () => {
      const seen = await health(address);
      return seen.status === 200 ? seen : undefined;
    });
    expect(healthy.body).toMatchObject({
      status: 'healthy',
      components: {
        host: { state: 'good' },
        workload: { state: 'good' },
        reachability: { state: 'good' },
      },
    });
    expect(await (await fetch(`${address}/metrics`)).text()).toContain(
      'hosted_runner_health{shard="pink",status="healthy",runner="linux"} 1',
    );
    const listen = address.replace('http://', '');
    expect(
      await world.stage('healthcheck', { args: ['--once', '--listen', listen] }),
    ).toMatchObject({ exitCode: 0 });
    expect(await world.stage('healthcheck', { args: ['--once'] })).toMatchObject({ exitCode: 0 });

    const [host] = world.sandbox.fleet.list().filter(({ state }) => state === 'running');
    await world.sandbox.fleet.terminate(host?.id ?? '');
    await waitUntil('ill', async () => ((await health(address)).status === 503 ? true : undefined));
    expect((await fetch(`${address}/live`)).status).toBe(200);
    expect(
      await world.stage('healthcheck', { args: ['--once', '--listen', listen] }),
    ).toMatchObject({ exitCode: 1, code: 'NotHealthy' });
    expect(await world.stage('healthcheck', { args: ['--once'] })).toMatchObject({
      exitCode: 1,
      code: 'NotHealthy',
    });

    endpoint.kill('SIGTERM');
    expect(await endpoint.ended).toMatchObject({ exitCode: 0 });
  } finally {
    await world.close();
  }
});
