import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before an emulator of AWS and notes what of the program's own calls it has answered. */
export interface WatchedEmulator {
  readonly url: string;
  /** Names of the calls that it knew, each once, in order of the alphabet. */
  answered(): string[];
  /** Names of those that it does not know. */
  unknown(): string[];
  close(): Promise<void>;
}

/** `rewrite`: what the emulator cannot be brought to say, in one call's answer. */
export async function watchEmulator(
  emulator: string,
  rewrite: (call: string, answer: string) => string = (_, answer) => answer,
): Promise<WatchedEmulator> {
  const seen = { answered: new Set<string>(), unknown: new Set<string>() };
  const server = createServer(async (incoming, response) => {
    try {
      const body = await readAll(incoming);
      const call = callOf(incoming.headers, body);
      const answer = await fetch(new URL(incoming.url ?? '/', emulator), {
        method: incoming.method ?? 'POST',
        headers: passed(incoming.headers),
        ...(body.length === 0 ? {} : { body }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (call !== undefined) seen[isKnown(answer.status) ? 'answered' : 'unknown'].add(call);
      const text = call === undefined ? bytes : rewrite(call, bytes.toString('utf8'));
      response.writeHead(answer.status, { ...told(answer.headers) }).end(text);
    } catch {
      // The emulator is gone.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered: () => [...seen.answered].sort(),
    unknown: () => [...seen.unknown].sort(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** As each protocol of AWS names it; absent for S3's. */
export function callOf(headers: IncomingHttpHeaders, body: Buffer): string | undefined {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target.split('.')[1];
  return /(?:^|&)Action=(\w+)/.exec(body.toString('utf8'))?.[1];
}

/** The emulator ends with an error of its own where it has no such action. */
export function isKnown(status: number): boolean {
  return status < 500;
}

export function isOfTerraform(headers: IncomingHttpHeaders): boolean {
  return /terraform|hashicorp/i.test(headers['user-agent'] ?? '');
}

/** Whole bodies are passed on, so that how they were packed says nothing any more. */
function passed(headers: IncomingHttpHeaders): Record<string, string> {
  const own = [
    'host',
    'connection',
    'content-length',
    'transfer-encoding',
    'accept-encoding',
    'expect',
  ];
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !own.includes(name) ? [[name, value]] : [],
    ),
  );
}

function told(headers: Headers): Record<string, string> {
  const own = ['connection', 'content-length', 'transfer-encoding', 'content-encoding'];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
