import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** AWS emulator on loopback, queried without an SDK. */
export interface Moto {
  readonly url: string;
  readonly environment: Record<string, string>;
  /** Calls an action of EC2's query protocol. Returns its XML. */
  ec2(action: string, parameters?: Record<string, string>): Promise<string>;
  /** Calls an action of IAM. Returns its XML. */
  iam(action: string, parameters?: Record<string, string>): Promise<string>;
  /** Calls an action of Auto Scaling. Returns its XML. */
  autoScaling(action: string, parameters: Record<string, string>): Promise<string>;
  /** Returns the names of the log groups, each as `<name>…</name>`. */
  logGroups(): Promise<string>;
  createBucket(name: string): Promise<void>;
  /** Lists the keys of a bucket. */
  list(bucket: string): Promise<string[]>;
  close(): Promise<void>;
}

const region = 'eu-west-1';

export async function startMoto(program: string): Promise<Moto> {
  const { url, child, ended } = await listening(program);
  const headers = (service: string) => ({
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAMOTO/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=x`,
  });
  const queryLogs = async (action: string, body: object): Promise<unknown> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers('logs'),
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `Logs_20140328.${action}`,
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${action}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    url,
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'AKIAMOTO',
      AWS_SECRET_ACCESS_KEY: 'made-up',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    async ec2(action, parameters = {}) {
      const body = new URLSearchParams({ Action: action, Version: '2016-11-15', ...parameters });
      const answer = await fetch(url, { method: 'POST', headers: headers('ec2'), body });
      return answer.text();
    },
    async iam(action, parameters = { MaxItems: '1000' }) {
      const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...parameters });
      const answer = await fetch(url, { method: 'POST', headers: headers('iam'), body });
      return answer.text();
    },
    async autoScaling(action, parameters) {
      const body = new URLSearchParams({ Action: action, Version: '2011-01-01', ...parameters });
      const answer = await fetch(url, { method: 'POST', headers: headers('autoscaling'), body });
      if (!answer.ok) throw new Error(`${action}: ${await answer.text()}`);
      return answer.text();
    },
    async logGroups() {
      const { logGroups = [] } = (await queryLogs('DescribeLogGroups', {})) as {
        logGroups?: { logGroupName: string }[];
      };
      return logGroups.map(({ logGroupName }) => `<name>${logGroupName}</name>`).join('');
    },
    async list(bucket) {
      const answer = await fetch(`${url}/${bucket}?list-type=2`, { headers: headers('s3') });
      return [...(await answer.text()).matchAll(/<Key>([^<]+)/g)].map(([, key = '']) => key);
    },
    async createBucket(name) {
      const body = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
      const answer = await fetch(`${url}/${name}`, { method: 'PUT', headers: headers('s3'), body });
      if (!answer.ok) throw new Error(await answer.text());
    },
    async close() {
      // The signal goes to the process group, because the program may be a wrapper.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Starts a program on a free port. If the port is taken meanwhile, another one is tried. */
async function listening(program: string, triesLeft = 5) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], {
    env: { ...process.env, MOTO_IAM_LOAD_MANAGED_POLICIES: 'true' },
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  while (child.exitCode === null) {
    const answer = await fetch(`${url}/moto-api/data.json`).catch(() => undefined);
    if (answer?.ok && child.exitCode === null) return { url, child, ended };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (triesLeft > 1) return listening(program, triesLeft - 1);
  throw new Error(`${program} ended with ${child.exitCode}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
