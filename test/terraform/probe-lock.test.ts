import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RunnerName } from '../../src/domain/shard.ts';
import { answered } from '../support/answered.ts';
import { describeWithTools } from '../support/tools.ts';
import { openWorkshop, rootModule, usual, type Workshop } from './workshop.ts';

const linux = 'linux' as RunnerName;

/**
 * Starts a Terraform backend of the kind http without a state, with the given response to a lock.
 */
async function startBackend(lock: { status: number; body?: string }) {
  const requests: string[] = [];
  const server = createServer(
    answered(async (request, response) => {
      const { method = '' } = request;
      for await (const _ of request);
      requests.push(method);
      if (method === 'GET') return response.writeHead(404).end();
      const { status, body = '' } = method === 'LOCK' ? lock : { status: 200 };
      return response.writeHead(status).end(body);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{shard}`;
  return {
    requests,
    backendConfig: [`address=${address}`, `lock_address=${address}`, `unlock_address=${address}`],
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  };
}

describeWithTools({ name: 'the lock of a probe', needs: ['terraform'] }, () => {
  let workshop: Workshop;
  let backend: Awaited<ReturnType<typeof startBackend>> | undefined;
  beforeEach(() => {
    workshop = openWorkshop(rootModule.replace('backend "local" {}', 'backend "http" {}'));
  });
  afterEach(async () => {
    workshop.close();
    await backend?.close();
  });

  async function probe(
    lock: { status: number; body?: string },
    variables: readonly string[] = usual.variables,
  ) {
    backend = await startBackend(lock);
    const { backendConfig } = backend;
    return workshop.open({ settings: { backendConfig, variables } }).probe(linux);
  }

  test('takes the lock once, and releases it', async () => {
    expect(await probe({ status: 200 })).toMatchObject([{ outcome: 'granted' }]);
    expect(backend?.requests.filter((one) => /LOCK/.test(one))).toEqual(['LOCK', 'UNLOCK']);
  });

  test('reports a missing permission if the backend denies it, with Terraform’s own text', async () => {
    const [found] = await probe({ status: 403 });
    expect(found).toMatchObject({ outcome: 'missing' });
    expect(found?.detail).toContain(
      'a permission is missing. "Error acquiring the state lock: HTTP remote state endpoint invalid auth"',
    );
  });

  test('counts as granted if another run holds it, because an apply may run during prepare', async () => {
    const body = JSON.stringify({ ID: 'b1c2' });
    expect(await probe({ status: 423, body })).toMatchObject([{ outcome: 'granted' }]);
    expect(backend?.requests).not.toContain('UNLOCK');
  });

  test('keeps the note of the run that holds the lock, which proves that run’s end later', async () => {
    await probe({ status: 200 });
    await backend?.close();
    const folder = join(workshop.folder, '.terraform/hosted-runner');
    const notes = readdirSync(folder).map((name) => join(folder, name, 'holder.json'));
    for (const note of notes) writeFileSync(note, '{}');
    await probe({ status: 423, body: JSON.stringify({ ID: 'b1c2' }) });
    expect(notes.map((note) => readFileSync(note, 'utf8'))).toEqual(notes.map(() => '{}'));
    expect(notes.length).toBeGreaterThan(0);
  });

  test('reports a missing variable even while another run holds the lock', async () => {
    const held = { status: 423, body: JSON.stringify({ ID: 'b1c2' }) };
    const [found] = await probe(held, ['shard={shard}']);
    expect(found).toMatchObject({ outcome: 'missing' });
    expect(found?.detail).toContain('runner_name');
  });

  test('ends prepare with its own error if the backend does not respond', async () => {
    const dead = ['address=http://127.0.0.1:9/{shard}', 'lock_address=http://127.0.0.1:9/{shard}'];
    const settings = { backendConfig: [...dead, 'retry_max=0'] };
    await expect(workshop.open({ settings }).probe(linux)).rejects.toMatchObject({
      code: 'TerraformUnreachable',
      exitCode: 1,
    });
  });
});
