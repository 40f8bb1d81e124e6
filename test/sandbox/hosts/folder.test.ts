import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSandbox, registerRunner, until } from './running-sandbox.ts';

const place = { runnerName: 'linux', shard: 'pink' };

describe('the folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('brings back what ran, at the same address and with the same machine', async () => {
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

  test('has no secret in it, neither in clear nor in base64', async () => {
    const world = await openSandbox({ folder });
    const runner = await registerRunner(world);
    const { instanceIds } = await world.sandbox.stacks.apply(place);
    await until(() => world.sandbox.fleet.machine(instanceIds[0] ?? '')?.unit?.contactedAt);
    world.sandbox.gitlab.submitJob({
      project: 201,
      tags: ['linux'],
      script: ['env >all; sleep 3000'],
    });
    await until(() => world.sandbox.gitlab.jobs()[0]?.status === 'running');
    await new Promise((resolve) => setTimeout(resolve, 400));
    const secrets = [runner.token, world.sandbox.gitlab.deployerToken()];
    const forms = secrets.flatMap((secret) => [
      secret,
      Buffer.from(secret).toString('base64').slice(0, -4),
      Buffer.from(secret).toString('hex'),
    ]);
    for (const file of filesBelow(folder)) {
      // What the customer's own script wrote is the customer's.
      if (file.endsWith('/all')) continue;
      const text = readFileSync(file, 'latin1');
      expect(forms.filter((form) => text.includes(form)).map(() => file)).toEqual([]);
    }
    await world.close();
  });

  test('is refused to a second sandbox', async () => {
    const world = await openSandbox({ folder });
    await expect(openSandbox({ folder })).rejects.toThrow(
      `The sandbox in ${folder} runs already, at ${world.sandbox.url}.`,
    );
    await world.close();
  });
});

describe('a sandbox as a process', () => {
  let folder: string;
  let child: ChildProcess;
  let printed = '';
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    printed = '';
    const entry = fileURLToPath(new URL('serve.js', import.meta.url));
    child = spawn(process.execPath, [entry, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
    });
    await until(() => printed.includes('# Serving until interrupted'));
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
    const ask = async (method: string, path: string, body?: object) => {
      const headers = {
        'content-type': 'application/json',
        'private-token': exported('HOSTED_RUNNER_GITLAB_TOKEN'),
      };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers, ...text });
      // biome-ignore lint/suspicious/noExplicitAny: the test picks what it needs
      return (await response.json()) as any;
    };
    const runner = await ask('POST', '/api/v4/user/runners', {
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
    await ask('POST', '/sandbox/stacks/linux/pink/apply');
    const mark = join(folder, 'job-pid');
    const script = [`echo $$ >${mark}`, 'sleep 3000 & wait'];
    await ask('POST', '/sandbox/jobs', { tags: ['linux'], script });
    const job = await until(() => {
      try {
        return Number(readFileSync(mark, 'utf8')) || undefined;
      } catch {
        return undefined;
      }
    });
    const processes = await ask('GET', '/sandbox/processes');
    return { manager: processes[0].pid, job };
  }

  test('prints what to export and writes a configuration', () => {
    expect(readFileSync(exported('HOSTED_RUNNER_CONFIG'), 'utf8')).toContain('stacks:\n  linux:');
    expect(exported('AWS_REGION')).toBe('eu-west-1');
    expect(exported('AWS_DEFAULT_REGION')).toBe('eu-west-1');
  });

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

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return filesBelow(path);
    return stat?.isFile() ? [path] : [];
  });
}

/** A process that nobody has waited for yet is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
