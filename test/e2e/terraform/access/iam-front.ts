import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Policy, permittedBy, type Wish } from '../../../docs/policy.ts';
import { forward, readBody } from '../sites/aws-front.ts';
import { type AwsCall, type Memory, readCall } from './service-wishes.ts';
import { openTagMemory } from './tag-memory.ts';

/**
 * Enforces a policy before the emulator, which itself knows neither resources nor conditions. It
 * refuses calls with AWS's errors.
 */
export interface IamFront {
  readonly url: string;
  /** Policy of the caller. Undefined allows everything. */
  policy: Policy | undefined;
  /** Actions that this suite cannot map to permissions. They are refused. */
  readonly unknown: string[];
  readonly denied: Wish[];
  /** Used permissions, each as `Sid action`. */
  readonly used: Set<string>;
  /** Forgets what was called before, and allows everything. */
  reset(): void;
  close(): Promise<void>;
}

export async function startIamFront(emulator: string): Promise<IamFront> {
  const memory: Memory = { tags: openTagMemory(), templates: [], boundaries: new Map() };
  const server = createServer(async (incoming, response) => {
    try {
      const body = await readBody(incoming);
      const call = readCall(incoming, body, memory);
      const refused = decide(call);
      if (refused !== undefined) {
        const { status, type, text } = refusalOf(call.service, refused);
        response.writeHead(status, { 'content-type': type }).end(text);
        return;
      }
      const answer = await forward({ to: emulator, incoming, body });
      if (answer.status === 200) learn(memory, call, answer.body.toString('utf8'));
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch {
      // The emulator has ended, or the caller was killed.
      response.destroy();
    }
  });
  const front: Omit<IamFront, 'url' | 'reset' | 'close'> = {
    policy: undefined,
    unknown: [],
    denied: [],
    used: new Set(),
  };
  /** Returns the first permission that the caller lacks. */
  function decide({ service, action, wishes }: AwsCall): Wish | undefined {
    if (wishes === undefined) {
      front.unknown.push(`${service}:${action}`);
      return { action: `${service}:${action}`, resource: '*' };
    }
    if (front.policy === undefined) return undefined;
    for (const wish of wishes) {
      const statements = permittedBy(front.policy, wish);
      for (const { Sid } of statements) front.used.add(`${Sid} ${wish.action}`);
      if (statements.length > 0) continue;
      front.denied.push(wish);
      return wish;
    }
    return undefined;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(front, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset() {
      front.policy = undefined;
      front.unknown.length = 0;
      front.denied.length = 0;
      front.used.clear();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

/** Returns the header of a call that names its service. The emulator checks no signature. */
export function signedAs(service: string): { authorization: string } {
  const scope = `AKIAMOTO/20260101/eu-west-1/${service}/aws4_request`;
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=x`,
  };
}

/** Remembers what later decisions depend on. */
function learn(memory: Memory, { action, form }: AwsCall, answer: string): void {
  memory.tags.learn(form, answer);
  if (action.startsWith('CreateLaunchTemplate')) memory.templates.push(form);
  const boundary = form.get('PermissionsBoundary');
  if (action === 'CreateRole' && boundary !== null)
    memory.boundaries.set(form.get('RoleName') ?? '', boundary);
}

/** Returns AWS's refusal in the protocol of the service. */
function refusalOf(service: string, { action, resource }: Wish) {
  const message = `User: arn:aws:sts::123456789012:assumed-role/hosted-runner-deploy/job is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
  const error = (code: string, text = message) =>
    `<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
  switch (service) {
    case 'ec2': {
      const text = error(
        'UnauthorizedOperation',
        `You are not authorized to perform this operation. ${message}`,
      );
      return {
        status: 403,
        type: 'text/xml',
        text: `<Response><Errors>${text}</Errors><RequestID>0</RequestID></Response>`,
      };
    }
    case 'logs':
      return {
        status: 400,
        type: 'application/x-amz-json-1.1',
        text: JSON.stringify({ __type: 'AccessDeniedException', message }),
      };
    case 's3':
      return { status: 403, type: 'application/xml', text: error('AccessDenied') };
    default:
      return {
        status: 403,
        type: 'text/xml',
        text: `<ErrorResponse>${error('AccessDenied')}<RequestId>0</RequestId></ErrorResponse>`,
      };
  }
}
