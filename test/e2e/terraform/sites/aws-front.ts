import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';

/**
 * One address for all of AWS. The emulator provides the resources; the sandbox provides Parameter
 * Store, Run Command and the machines. An instance that the emulator launches boots in the sandbox
 * under the same id.
 */
export interface AwsFront {
  readonly url: string;
  /** Runs `act` once, when AWS has completed this action. The caller never gets the response. */
  strikeAt(action: string, act: () => Promise<void>): void;
  /** Expires the credentials of all callers right before this action. */
  expireAt(action: string): void;
  /** Renews the credentials. */
  renew(): void;
  close(): Promise<void>;
}

export async function startAwsFront(sandbox: Sandbox, emulator: string): Promise<AwsFront> {
  let strike: { action: string; act: () => Promise<void> } | undefined;
  let ending: string | undefined;
  let isExpired = false;
  const server = createServer(async (incoming, response) => {
    try {
      const body = await readBody(incoming);
      if (ending !== undefined && callOf(incoming.headers, body) === ending) isExpired = true;
      if (isExpired) {
        const { status, type, text } = expired(incoming.headers);
        response.writeHead(status, { 'content-type': type }).end(text);
        return;
      }
      const to = isForSandbox(incoming.headers, body) ? sandbox.ssmUrl : emulator;
      const answer = await correct(emulator, body, await forward({ to, incoming, body }));
      if (to === emulator && answer.status === 200) await follow(sandbox, body, answer.body);
      if (strike !== undefined && callOf(incoming.headers, body) === strike.action) {
        const { act } = strike;
        strike = undefined;
        await act();
        response.destroy();
        return;
      }
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch {
      // The emulator has ended, or the caller was killed.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    strikeAt(action, act) {
      strike = { action, act };
    },
    expireAt(action) {
      ending = action;
    },
    renew() {
      ending = undefined;
      isExpired = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Returns the action's name, which each AWS protocol encodes differently; absent for S3. */
export function callOf(headers: IncomingHttpHeaders, body: Buffer): string | undefined {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target.split('.')[1];
  return /(?:^|&)Action=(\w+)/.exec(body.toString('utf8'))?.[1];
}

/** Returns the error for expired credentials in the protocol of the request. */
function expired(headers: IncomingHttpHeaders): { status: number; type: string; text: string } {
  const message = 'The security token included in the request is expired';
  if (headers['x-amz-target'] !== undefined) {
    const text = JSON.stringify({ __type: 'ExpiredTokenException', message });
    return { status: 400, type: 'application/x-amz-json-1.1', text };
  }
  const service = serviceOf(headers);
  const isEc2 = service === 'ec2';
  const error = (code: string) =>
    `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  if (service === 's3')
    return { status: 400, type: 'application/xml', text: error('ExpiredToken') };
  const text = isEc2
    ? `<Response><Errors>${error('RequestExpired')}</Errors><RequestID>0</RequestID></Response>`
    : `<ErrorResponse>${error('ExpiredToken')}<RequestId>0</RequestId></ErrorResponse>`;
  return { status: isEc2 ? 400 : 403, type: 'text/xml', text };
}

export function serviceOf(headers: IncomingHttpHeaders): string | undefined {
  return /\/([a-z0-9-]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1];
}

/**
 * Decides whether the sandbox answers a call. The emulator runs no commands, simulates no policies
 * and expires no sessions. A call that assumes a role by a token is unsigned.
 */
function isForSandbox(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const service = serviceOf(headers);
  if (service === 'ssm' || service === 'sts') return true;
  return /(?:^|&)Action=(?:SimulatePrincipalPolicy|AssumeRoleWithWebIdentity)\b/.test(
    body.toString('utf8'),
  );
}

/** Starts and ends machines as the emulator does. */
async function follow(sandbox: Sandbox, body: Buffer, answer: Buffer): Promise<void> {
  const form = new URLSearchParams(body.toString('utf8'));
  const action = form.get('Action');
  const ids = [...answer.toString('utf8').matchAll(/<instanceId>([^<]+)/g)].map(
    ([, id = '']) => id,
  );
  if (action === 'RunInstances') {
    const tags = tagsOf(form);
    const [runnerName, shard] = [tags['hosted-runner:stack'], tags['hosted-runner:shard']];
    if (runnerName === undefined || shard === undefined) return;
    for (const id of ids) sandbox.fleet.create({ runnerName, shard, id });
  }
  if (action === 'TerminateInstances' && form.get('DryRun') !== 'true')
    for (const id of ids) await sandbox.fleet.terminate(id);
}

/** List actions that find existing resources, by the prefix of their ids. */
const lists = {
  sg: 'DescribeSecurityGroups',
  sgr: 'DescribeSecurityGroupRules',
  vol: 'DescribeVolumes',
  eni: 'DescribeNetworkInterfaces',
};

/** Removes tags of deleted resources, which the emulator still lists, unlike AWS. */
async function correct(emulator: string, call: Buffer, answer: Answer): Promise<Answer> {
  if (!call.includes('Action=DescribeTags') || answer.status !== 200) return answer;
  const scope = 'AKIAMOTO/20260101/eu-west-1/ec2/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=x`;
  const listed = await Promise.all(
    Object.entries(lists).map(async ([kind, Action]) => {
      const body = new URLSearchParams({ Action, Version: '2016-11-15' });
      const answer = await fetch(emulator, { method: 'POST', headers: { authorization }, body });
      return [kind, await answer.text()] as const;
    }),
  );
  const texts = Object.fromEntries(listed);
  const text = answer.body.toString('utf8').replace(/<item>[\s\S]*?<\/item>/g, (item) => {
    const id = /<resourceId>([^<]+)/.exec(item)?.[1] ?? '';
    // A removed network interface would still name its group.
    const text = texts[id.split('-')[0] ?? ''];
    return text === undefined || text.includes(`>${id}<`) ? item : '';
  });
  const body = Buffer.from(text);
  return { ...answer, body, headers: { ...answer.headers, 'content-length': `${body.length}` } };
}

function tagsOf(form: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const [key, value] of form) {
    const at = /^(TagSpecification\.\d+\.Tag\.\d+)\.Key$/.exec(key)?.[1];
    if (at !== undefined) tags[value] = form.get(`${at}.Value`) ?? '';
  }
  return tags;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export function forward(call: {
  to: string;
  incoming: IncomingMessage;
  body: Buffer;
}): Promise<Answer> {
  const { to, incoming, body } = call;
  const { host: _, connection: __, ...headers } = incoming.headers;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(incoming.url ?? '/', to),
      { method: incoming.method, headers: { ...headers, 'content-length': body.length } },
      (answer) => {
        readBody(answer).then(
          (text) =>
            resolve({
              status: answer.statusCode ?? 502,
              headers: plain(answer.headers),
              body: text,
            }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Removes headers about chunks, because bodies are forwarded whole. */
function plain(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'transfer-encoding': _, connection: __, ...kept } = headers;
  return kept;
}

export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
