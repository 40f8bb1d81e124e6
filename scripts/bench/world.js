import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Opens the sandbox with one finished deployment, and a proxy before its GitLab that reports the
 * first call.
 * @param {string} program
 */
export async function openBenchWorld(program) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const sandbox = spawn(process.execPath, [program, 'sandbox', '--folder', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exported = await exportsOf(sandbox);
  const door = await openDoor(exported['HOSTED_RUNNER_GITLAB_URL'] ?? '');
  const environment = {
    PATH: process.env['PATH'],
    ...exported,
    ...shortened,
    HOSTED_RUNNER_GITLAB_URL: door.url,
  };
  const world = { folder, environment, door };
  await run(world, { node: process.execPath, args: [program, 'deploy', '--runner', 'linux'] });
  return {
    ...world,
    async close() {
      sandbox.kill('SIGTERM');
      await once(sandbox, 'exit');
      door.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @typedef {{ folder: string, environment: NodeJS.ProcessEnv, door: Awaited<ReturnType<typeof openDoor>> }} BenchWorld */

const shortened = {
  HOSTED_RUNNER_HEALTHCHECK_POLL: '200ms',
  HOSTED_RUNNER_DRAIN_POLL: '200ms',
};

/**
 * Runs a command to its end, or to the first call of GitLab, and returns the time it took.
 * @param {BenchWorld} world
 * @param {{ node: string, args: readonly string[], env?: NodeJS.ProcessEnv, until?: 'end' | 'call' }} call
 * @returns {Promise<{ ms: number, output: string }>}
 */
export async function run({ folder, environment, door }, { node, args, env, until = 'end' }) {
  const startedAt = performance.now();
  const child = spawn(node, args, { cwd: folder, env: { ...environment, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  let calledAt = 0;
  if (until === 'call') {
    calledAt = await Promise.race([door.nextCall(), ended.then(() => 0)]);
    child.kill('SIGKILL');
  }
  const [exitCode] = await ended;
  if (until === 'end' ? exitCode !== 0 : calledAt === 0) {
    throw new Error(`${args.join(' ')} ended with ${exitCode}\n${output}`);
  }
  return { ms: (calledAt || performance.now()) - startedAt, output };
}

/** @param {import('node:child_process').ChildProcess} sandbox @returns {Promise<Record<string, string>>} */
async function exportsOf(sandbox) {
  let text = '';
  for await (const chunk of sandbox.stdout ?? []) {
    text += chunk;
    const found = [...text.matchAll(/^\s*export (\w+)='?([^'\n]*)'?$/gm)];
    const exported = Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
    if (exported['HOSTED_RUNNER_CONFIG'] !== undefined) return exported;
  }
  throw new Error(`The sandbox did not start:\n${text}`);
}

/** @param {string} target */
async function openDoor(target) {
  /** @type {Array<(at: number) => void>} */
  let waiting = [];
  const server = createServer((incoming, outgoing) => {
    for (const settle of waiting.splice(0)) settle(performance.now());
    const passed = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** @returns {Promise<number>} */
    nextCall: () => new Promise((settle) => waiting.push(settle)),
    close() {
      waiting = [];
      server.closeAllConnections();
      server.close();
    },
  };
}
