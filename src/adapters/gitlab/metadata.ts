import { parseJson } from '../../domain/text/json.ts';
import { PortFailure } from '../../ports/failure.ts';
import { refusalOf } from '../transport/answers/refusal.ts';
import type { TransportAnswer, TransportRequest } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';
import { quote } from '../transport/words/quote.ts';
import type { Redactor } from '../transport/words/redaction.ts';
import { findGround } from './refusal-ground.ts';

export interface GitLabServer {
  readonly version: string;
  readonly enterprise: boolean;
  /** Milliseconds since 1970 by the server's clock. Absent if the server did not report it. */
  readonly now?: number;
}

export interface ServerRequest {
  /** Address of GitLab without `/api/v4`. */
  readonly url: string;
  readonly token: string;
  readonly transport: Transport;
  readonly redactor: Redactor;
  /** Called once the request is sent. */
  readonly onSent?: () => void;
}

const source = 'GitLab GET /metadata';

/**
 * Reads the server's version and checks the token. This is the first request of a stage. It runs
 * while most of the program is not loaded, without the client and without schemas.
 */
export async function readServer(serverRequest: ServerRequest): Promise<GitLabServer> {
  const { url, token, transport, redactor, onSent } = serverRequest;
  const request: TransportRequest = {
    method: 'GET',
    url: new URL(`${url.replace(/\/+$/, '')}/api/v4/metadata`),
    source,
    headers: { accept: 'application/json', 'private-token': token },
    ...(onSent === undefined ? {} : { onSent }),
  };
  const answer = await transport(request);
  if (answer.status >= 400)
    throw refusalOf(answer, { source, redactor, ground: findGround(answer, redactor) });
  return readAnswer(answer, redactor);
}

function readAnswer({ body, headers }: TransportAnswer, redactor: Redactor): GitLabServer {
  const json = parseJson(body) as { version?: unknown; enterprise?: unknown } | null | undefined;
  const version = json?.version;
  if (typeof version !== 'string') {
    const detail = quote('the response has no version', redactor);
    throw new PortFailure({ kind: 'unexpected', effect: 'none', source, detail });
  }
  const now = Date.parse(headers.get('date') ?? '');
  return {
    version,
    enterprise: json?.enterprise === true,
    ...(Number.isNaN(now) ? {} : { now }),
  };
}
