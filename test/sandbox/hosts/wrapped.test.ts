import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connect, connectHost, dockerHost, systemdHost } from '../../aws/sandbox-aws.ts';
import { openSandbox, registerRunner, until } from './running-sandbox.ts';

/** Effects of the product on a runner in the gRPC wrapper, and the effect of a signal. */
describe.each(['docker', 'systemd'] as const)('a wrapped runner under %s', (kind) => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let hostId: string;
  beforeEach(async () => {
    world = await openSandbox({ behaviour: { process: kind, wrapped: true } });
    await registerRunner(world);
    const place = { runnerName: 'linux', shard: 'pink' };
    [hostId = ''] = (await world.sandbox.stacks.apply(place)).instanceIds;
    await until(() => world.sandbox.fleet.machine(hostId)?.unit?.contactedAt);
  });
  afterEach(() => world.close());

  const host = () =>
    connectHost(connect(world.sandbox.ssmUrl), {
      ...(kind === 'docker' ? dockerHost : systemdHost),
      wrapper: 'tcp://localhost:7777',
    });
  const unit = () => world.sandbox.fleet.machine(hostId)?.unit;
  const job = (script: string) =>
    world.sandbox.gitlab.submitJob({ project: 201, tags: ['linux'], script: [script] }).id;
  const jobStatus = (id: number) =>
    world.sandbox.gitlab.jobs().find((one) => one.id === id)?.status;

  test('finishes its job after the graceful call; the wrapper stays and nothing starts it again', async () => {
    const mayEnd = join(world.folder, 'may-end');
    const id = job(`while [ ! -e ${mayEnd} ]; do sleep 0.05; done`);
    await until(() => jobStatus(id) === 'running');
    expect(await host().quit(hostId)).toEqual({ kind: 'sent' });
    expect(await host().look(hostId)).toMatchObject({
      process: 'quitting',
      wrapper: 'in_shutdown',
    });
    writeFileSync(mayEnd, '');
    await until(() => unit()?.pid === undefined);
    expect(jobStatus(id)).toBe('success');
    expect(await host().look(hostId)).toMatchObject({
      process: 'stopped',
      wrapper: 'stopped',
      restarts: false,
    });
    expect(unit()?.isRunning).toBe(true);
    expect(await host().quit(hostId)).toEqual({ kind: 'already_stopped' });
  });

  test('starts again only after the wrapped runner has ended', async () => {
    expect(await host().start(hostId)).toEqual({ kind: 'already_running' });
    await host().quit(hostId);
    await until(() => unit()?.pid === undefined);
    expect(await host().start(hostId)).toEqual({ kind: 'started' });
    await until(() => unit()?.port);
    expect(await host().look(hostId)).toMatchObject({ process: 'running', wrapper: 'running' });
  });

  test('ends its job at the forceful call', async () => {
    const id = job('sleep 3000');
    await until(() => jobStatus(id) === 'running');
    await host().kill(hostId);
    expect(unit()?.pid).toBeUndefined();
    await until(() => jobStatus(id) === 'failed');
  });

  test('loses its job to a signal to the wrapper, so hosted-runner sends none', async () => {
    const id = job('sleep 3000');
    await until(() => jobStatus(id) === 'running');
    unit()?.signal('SIGQUIT');
    await until(() => jobStatus(id) === 'failed');
  });
});
