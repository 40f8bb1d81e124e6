import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSandbox, registerRunner, runScript, until } from './hosts/running-sandbox.ts';

let world: Awaited<ReturnType<typeof openSandbox>>;
beforeEach(async () => {
  world = await openSandbox();
});
afterEach(() => world.close());

/** Sends a request without fetch, which does not let a test choose these headers. */
function send(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> },
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode, text });
    });
    outgoing.on('error', reject).end();
  });
}

describe('every service of the sandbox', () => {
  const halves = [
    ['its control', () => `${world.sandbox.url}/sandbox/state`],
    ['its GitLab', () => `${world.sandbox.url}/api/v4/version`],
    ['its GitHub', () => `${world.sandbox.url}/api/v3/meta`],
    ['its AWS, which runs commands on this machine', () => `${world.sandbox.ssmUrl}/`],
  ] as const;

  test.each(halves)('refuses a foreign host name that resolves to it: %s', async (_, url) => {
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example']) {
      const answer = await send(url(), { method: 'POST', headers: { host } });
      expect(answer).toEqual({
        status: 403,
        text: '{"error":"The sandbox answers to a loopback address only."}',
      });
    }
  });

  test.each(halves)('refuses a script of another site: %s', async (_, url) => {
    const strange: readonly Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of strange) {
      const answer = await send(url(), { method: 'POST', headers });
      expect(answer).toEqual({
        status: 403,
        text: '{"error":"The sandbox does not answer to browsers."}',
      });
    }
  });
});

describe('a command that runs through the simulated AWS', () => {
  test("sees nothing of the developer's environment and works in its machine's folder", async () => {
    process.env['SECRET_OF_A_DEVELOPER'] = 'not-for-a-machine';
    try {
      await registerRunner(world);
      const { instanceIds } = await world.sandbox.stacks.apply({
        runnerName: 'linux',
        shard: 'pink',
      });
      const id = instanceIds[0] ?? '';
      await until(() => world.sandbox.fleet.machine(id)?.unit?.contactedAt);
      const root = world.sandbox.fleet.machine(id)?.root ?? 'none';
      const { StandardOutputContent: output = '' } = await runScript(world.ssm, id, 'pwd; env');
      const [folder, ...variables] = output.trim().split('\n');
      expect(folder).toBe(root);
      const names = variables.map((line) => line.slice(0, line.indexOf('=')));
      expect(
        names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)).sort(),
      ).toEqual(['HOME', 'LANG', 'MACHINE_CALLS', 'MACHINE_REAL_PATH', 'MACHINE_ROOT', 'PATH']);
      expect(variables).toContain(`HOME=${root}`);
    } finally {
      delete process.env['SECRET_OF_A_DEVELOPER'];
    }
  });
});
