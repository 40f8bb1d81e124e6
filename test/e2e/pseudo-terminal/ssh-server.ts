import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { shellQuoted } from '../../../src/domain/text/shell-word.ts';

export interface SshServer {
  /** What a person types to run it there, at a terminal of the server's. */
  command(order: {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
  }): readonly string[];
  close(): Promise<void>;
}

/** A server on loopback for whoever runs the test, with keys that are made for it and no other way in. */
export async function openSshServer(
  folder: string,
  { sshd, ssh }: { readonly sshd: string; readonly ssh: string },
): Promise<SshServer> {
  const [hostKey, userKey] = [join(folder, 'host-key'), join(folder, 'user-key')];
  for (const file of [hostKey, userKey])
    execFileSync(join(dirname(ssh), 'ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  copyFileSync(`${userKey}.pub`, join(folder, 'authorized-keys'));
  const port = await freePort();
  const config = join(folder, 'sshd.conf');
  writeFileSync(config, configurationOf(folder, port));
  // Where it gives up its rights; an image without systemd has none.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const server = spawn(sshd, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  await heard(server.stderr, /Server listening/);
  const options = ['UserKnownHostsFile=/dev/null', 'StrictHostKeyChecking=no', 'LogLevel=ERROR'];
  const typed = [ssh, '-tt', '-F', 'none', '-e', 'none', '-p', String(port), '-i', userKey];
  const to = `${userInfo().username}@127.0.0.1`;
  return {
    command({ command, env, cwd }) {
      const words = ['env', '-i', ...Object.entries(env).map((pair) => pair.join('=')), ...command];
      const line = `cd ${shellQuoted(cwd)} && exec ${words.map(shellQuoted).join(' ')}`;
      return [...typed, ...options.flatMap((one) => ['-o', one]), to, line];
    },
    async close() {
      const closed = once(server, 'close');
      server.kill('SIGTERM');
      await closed;
    },
  };
}

function configurationOf(folder: string, port: number): string {
  return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${join(folder, 'host-key')}
AuthorizedKeysFile ${join(folder, 'authorized-keys')}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function heard(stream: NodeJS.ReadableStream, words: RegExp): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (words.test(text)) resolve();
    });
    stream.on('end', () => reject(new Error(`The server never listened: ${text}`)));
  });
}
