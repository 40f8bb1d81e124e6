import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isAlive, openSandbox, registerRunner, until } from './running-sandbox.ts';

const place = { runnerName: 'linux', shard: 'pink' };

describe('the sandbox folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('restores the running machines at the same address', async () => {
    const first = await openSandbox({ folder });
    const runner = await registerRunner(first);
    const { instanceIds } = await first.sandbox.stacks.apply(place);
    const id = instanceIds[0] ?? '';
    await until(() => first.sandbox.fleet.machine(id)?.unit?.contactedAt);
    const pid = first.sandbox.fleet.machine(id)?.unit?.pid ?? 0;
    await first.close();
    expect(isAlive(pid)).toBe(false);

    const second = await openSandbox({ folder });
    try {
      expect(second.sandbox.environment).toEqual(first.sandbox.environment);
      await until(() => second.sandbox.fleet.machine(id)?.unit?.contactedAt);
      expect(second.sandbox.gitlab.runners()).toHaveLength(1);
      expect(second.sandbox.gitlab.runners()[0]?.managers).toHaveLength(1);
      const parameter = await second.ssm.getParameter({
        Name: '/gitlab/dedicated/runner/linux/pink/runner_token',
        WithDecryption: true,
      });
      expect(parameter.Parameter?.Value).toBe(runner.token);
    } finally {
      await second.close();
    }
  });
});

describe('a sandbox as a process', () => {
  let folder: string;
  let child: ChildProcess;
  let printed = '';
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    printed = '';
    const entry = fileURLToPath(new URL('listener.js', import.meta.url));
    child = spawn(process.execPath, [entry, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
    });
    await until(() => printed.includes('# Running until interrupted'));
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function exported(name: string): string {
    return new RegExp(`^export ${name}=(.*)$`, 'm').exec(printed)?.[1] ?? '';
  }

  async function buildAndWork(): Promise<{ manager: number; job: number }> {
    const url = exported('HOSTED_RUNNER_SANDBOX_URL');
    const send = async (method: string, path: string, body?: object) => {
      const headers = {
        'content-type': 'application/json',
        'private-token': exported('HOSTED_RUNNER_GITLAB_TOKEN'),
      };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers, ...text });
      // biome-ignore lint/suspicious/noExplicitAny: the test picks what it needs
      return (await response.json()) as any;
    };
    const runner = await send('POST', '/api/v4/user/runners', {
      runner_type: 'group_type',
      group_id: 10,
      tag_list: ['linux'],
    });
    await fetch(exported('AWS_ENDPOINT_URL_SSM'), {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSSM.PutParameter', authorization: 'any' },
      body: JSON.stringify({
        Name: '/gitlab/dedicated/runner/linux/pink/runner_token',
        Value: runner.token,
        Type: 'SecureString',
      }),
    });
    await send('POST', '/sandbox/stacks/linux/pink/apply');
    const mark = join(folder, 'job-pid');
    const script = [`echo $$ >${mark}`, 'sleep 3000 & wait'];
    await send('POST', '/sandbox/jobs', { tags: ['linux'], script });
    const job = await until(() => {
      try {
        return Number(readFileSync(mark, 'utf8')) || undefined;
      } catch {
        return undefined;
      }
    });
    const processes = await send('GET', '/sandbox/processes');
    return { manager: processes[0].pid, job };
  }

  test('takes its processes with it when it is interrupted', async () => {
    const pids = await buildAndWork();
    child.kill('SIGTERM');
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
    expect([isAlive(pids.manager), isAlive(pids.job)]).toEqual([false, false]);
  });

  test('leaves no process behind when it is killed', async () => {
    const pids = await buildAndWork();
    child.kill('SIGKILL');
    await until(() => !isAlive(pids.manager) && !isAlive(pids.job));
  });
});
