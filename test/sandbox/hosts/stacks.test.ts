import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSandbox, registerRunner, until } from './running-sandbox.ts';

const place = { runnerName: 'linux', shard: 'pink' };

describe('a shard in the sandbox', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  beforeEach(async () => {
    world = await openSandbox();
  });
  afterEach(() => world.close());

  const stacks = () => world.sandbox.stacks;

  test('gets 13 resources, and then an apply changes nothing', async () => {
    const first = await stacks().apply(place);
    expect(first).toMatchObject({ kind: 'done', added: 13, changed: 0, destroyed: 0 });
    const second = await stacks().apply(place);
    expect(second).toEqual({
      kind: 'done',
      added: 0,
      changed: 0,
      destroyed: 0,
      instanceIds: first.instanceIds,
    });
  });

  test('gets a new machine when its revision changed', async () => {
    const first = await stacks().apply(place);
    world.sandbox.settings.change(place, { revision: '2' });
    const second = await stacks().apply(place);
    expect(second).toMatchObject({ added: 1, changed: 1, destroyed: 1 });
    expect(second.instanceIds).not.toEqual(first.instanceIds);
    expect(world.sandbox.fleet.find(first.instanceIds[0] ?? '')?.state).toBe('terminated');
  });

  test('gets a new machine when its machine was terminated', async () => {
    const { instanceIds } = await stacks().apply(place);
    await world.sandbox.fleet.terminate(instanceIds[0] ?? '');
    expect(await stacks().apply(place)).toMatchObject({ added: 1, changed: 0, destroyed: 0 });
  });

  test('stays half built after a failed apply, and the next apply continues', async () => {
    world.sandbox.settings.change(place, { failApplyAfter: 5 });
    expect(await stacks().apply(place)).toEqual({
      kind: 'failed',
      added: 5,
      changed: 0,
      destroyed: 0,
      instanceIds: [],
      reason: 'InsufficientInstanceCapacity: try again later.',
    });
    expect(await stacks().apply(place)).toMatchObject({ kind: 'done', added: 8 });
  });

  test('stays half built if the caller of the apply is gone', async () => {
    world.sandbox.settings.change(place, { resourceMs: 50 });
    const gone = new AbortController();
    const url = `${world.sandbox.url}/sandbox/stacks/linux/pink/apply`;
    const ordered = fetch(url, { method: 'POST', signal: gone.signal });
    await until(() => (stacks().list()['linux/pink']?.length ?? 0) >= 2);
    gone.abort();
    await expect(ordered).rejects.toThrow();
    const next = await until(async () => {
      const change = await stacks().apply(place);
      return change.kind === 'done' && change;
    });
    expect(next.added).toBeGreaterThan(5);
    expect(next.added).toBeLessThan(13);
  });

  test('refuses a second apply at the same time', async () => {
    const first = stacks().apply(place);
    expect(await stacks().apply(place)).toMatchObject({
      kind: 'locked',
      reason: 'Error acquiring the state lock',
    });
    expect(await first).toMatchObject({ kind: 'done' });
  });

  test('loses every resource at a destroy, and a second destroy changes nothing', async () => {
    const { instanceIds } = await stacks().apply(place);
    expect(await stacks().destroy(place)).toMatchObject({ added: 0, destroyed: 13 });
    expect(await stacks().destroy(place)).toMatchObject({ kind: 'done', destroyed: 0 });
    expect(stacks().list()).toEqual({});
    expect(world.sandbox.fleet.find(instanceIds[0] ?? '')?.state).toBe('terminated');
  });

  test('keeps the other shard unchanged', async () => {
    await stacks().apply(place);
    await stacks().apply({ runnerName: 'linux', shard: 'purple' });
    await stacks().destroy(place);
    expect(stacks().list()['linux/purple']).toHaveLength(13);
  });
});

describe('a sandbox machine', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  beforeEach(async () => {
    world = await openSandbox();
    await registerRunner(world);
  });
  afterEach(() => world.close());

  async function build() {
    const { instanceIds } = await world.sandbox.stacks.apply(place);
    return instanceIds[0] ?? '';
  }
  const submit = () =>
    world.sandbox.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] }).id;
  const job = (id: number) => world.sandbox.gitlab.jobs().find((row) => row.id === id);
  const managers = () => world.sandbox.gitlab.runners()[0]?.managers ?? [];

  test('contacts GitLab even if it never takes jobs', async () => {
    world.sandbox.settings.change(place, { boot: 'contacts_but_never_takes_jobs' });
    await build();
    const id = submit();
    await until(() => managers().length === 1);
    expect(job(id)?.status).toBe('pending');
  });

  test('runs without an agent if it hangs', async () => {
    world.sandbox.settings.change(place, { boot: 'hangs', hangsAfterMs: 100 });
    const id = await build();
    await until(() => world.sandbox.fleet.find(id)?.state === 'running');
    const instance = await until(() => {
      const own = world.sandbox.fleet.find(id);
      return own?.agent === 'lost' && own;
    });
    expect(instance.state).toBe('running');
  });

  test('restarts its killed manager by its policy', async () => {
    const id = await build();
    const unit = await until(() => world.sandbox.fleet.machine(id)?.unit);
    await until(() => unit.contactedAt);
    expect(world.sandbox.fleet.killManager(id)).toBe(true);
    await until(() => unit.restarts === 1 && unit.isRunning);
  });

  test('sends no system id with an old runner', async () => {
    world.sandbox.settings.change(place, { runnerVersion: '14.10.1' });
    await build();
    const id = submit();
    await until(() => job(id)?.status === 'success');
    expect(job(id)?.systemId).not.toMatch(/^s_/);
  });
});
