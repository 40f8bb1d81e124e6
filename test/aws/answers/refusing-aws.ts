import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answered } from '../../support/answered.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
}

export interface RefusingAws {
  readonly url: string;
  /** The actions of the requests, in order. */
  readonly actions: readonly string[];
  /** Sets the response to all later requests. */
  refuseWith(refusal: Refusal | 'lost'): void;
  close(): Promise<void>;
}

/**
 * Starts an AWS that refuses every call, in the form of the called service.
 * @param succeeding the XML of successful calls, by action
 */
export async function startRefusingAws(
  succeeding: Readonly<Record<string, string>> = {},
): Promise<RefusingAws> {
  const actions: string[] = [];
  let refusal: Refusal | 'lost' = 'lost';
  const server = createServer(
    answered(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const action = actionOf(request, body);
      actions.push(action);
      const success = succeeding[action];
      if (success !== undefined) {
        const result = `<${action}Response><${action}Result>${success}</${action}Result></${action}Response>`;
        response.writeHead(200, { 'content-type': 'text/xml' }).end(result);
      } else if (refusal === 'lost') request.socket.destroy();
      else refuse(request, response, { ...refusal, isEc2: isEc2(request) });
    }),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    actions,
    refuseWith(given) {
      refusal = given;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function actionOf({ headers }: IncomingMessage, body: string): string {
  const target = headers['x-amz-target'];
  if (target !== undefined) return String(target).replace(/^.*\./, '');
  return new URLSearchParams(body).get('Action') ?? '';
}

/** The signature names the service. */
function isEc2({ headers }: IncomingMessage): boolean {
  return /\/ec2\/aws4_request/.test(headers.authorization ?? '');
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message = 'its own words', isEc2 }: Refusal & { readonly isEc2: boolean },
): void {
  if (request.headers['x-amz-target'] !== undefined) {
    response.writeHead(status, { 'content-type': String(request.headers['content-type']) });
    response.end(JSON.stringify({ __type: code, message }));
    return;
  }
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'text/xml' });
  response.end(
    isEc2
      ? `<Response><Errors>${error}</Errors><RequestID>1</RequestID></Response>`
      : `<ErrorResponse>${error}<RequestId>1</RequestId></ErrorResponse>`,
  );
}
