import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { whatIsWrongAtRest } from './world/at-rest.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
});
afterAll(() => world.close());

/** The first reads of the next command show what was there 1.5 s before. */
async function readsAreBehind(): Promise<void> {
  const fault = {
    service: 'ssm',
    match: { operation: 'GetParameters' },
    effect: { kind: 'stale', ms: 1500 },
    times: 3,
  };
  const { status } = await fetch(new URL('/sandbox/faults', world.sandbox.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  expect(status).toBe(201);
}

function recorded(): { id: string; kind: string; candidate: string; phase: string } {
  const text = world.sandbox.parameters
    .read('/gitlab/dedicated/runner/linux/deployment_record')
    .value();
  return JSON.parse(text).deployment;
}

/** The tests run in any order, and one of them rolls a deployment back. */
const again = ['--again', 'nothing was wrong'];

async function ends(name: string, args: readonly string[] = []) {
  const end = await world.stage(name, { args });
  expect({ text: end.text, exitCode: end.exitCode }).toEqual({ text: end.text, exitCode: 0 });
  return end;
}

describe('a command typed right after a finished deployment, whose first reads are 1.5 s behind', () => {
  test('deploy begins a new deployment and finishes it', async () => {
    const before = recorded();
    await readsAreBehind();
    await ends('deploy', again);
    expect(recorded()).toMatchObject({ kind: 'deploy', phase: 'done' });
    expect(recorded().id).not.toBe(before.id);
    expect(recorded().candidate).not.toBe(before.candidate);
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });

  test('recover and bake do nothing and print the command that begins a deployment', async () => {
    const before = recorded();
    for (const name of ['recover', 'bake']) {
      await readsAreBehind();
      const { text } = await ends(name, name === 'recover' ? ['--method', 'rerun', '--yes'] : []);
      expect(text).toContain(
        `deployment ${before.id} is done; "hosted-runner deploy --runner linux" begins the next one`,
      );
    }
    expect(recorded()).toEqual(before);
  });

  test('prepare begins a new deployment, and rollback and activate begin their own', async () => {
    const before = recorded();
    await readsAreBehind();
    await ends('prepare', again);
    const prepared = recorded();
    expect(prepared.id).not.toBe(before.id);
    expect(prepared.phase).toBe('prepared');
    await ends('provision');
    await readsAreBehind();
    await ends('rollback');
    expect(recorded()).toMatchObject({ kind: 'rollback', candidate: before.candidate });
    expect(recorded().id).not.toBe(prepared.id);
    const rolledBack = recorded();
    await readsAreBehind();
    await ends('activate', ['--shard', prepared.candidate]);
    expect(recorded()).toMatchObject({ kind: 'activate', candidate: prepared.candidate });
    expect(recorded().id).not.toBe(rolledBack.id);
    await ends('finalize');
    expect(whatIsWrongAtRest(world)).toEqual([]);
  });
});
