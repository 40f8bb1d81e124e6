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
  /** By the server's clock, milliseconds since 1970; absent if it did not say. */
  readonly now?: number;
}

export interface ServerRequest {
  /** GitLab's own address, without `/api/v4`. */
  readonly url: string;
  readonly token: string;
  readonly transport: Transport;
  readonly redactor: Redactor;
  /** Called once the question is on its way. */
  readonly onSent?: () => void;
}

const source = 'GitLab GET /metadata';

/**
 * Who answers at this address, and whether it takes this token. The first question of a stage, asked
 * while most of the program is not loaded: it does without the client and without schemas.
 */
export async function readServer(asked: ServerRequest): Promise<GitLabServer> {
  const { url, token, transport, redactor, onSent } = asked;
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
    const detail = quote('the answer says no version', redactor);
    throw new PortFailure({ kind: 'unexpected', effect: 'none', source, detail });
  }
  const now = Date.parse(headers.get('date') ?? '');
  return {
    version,
    enterprise: json?.enterprise === true,
    ...(Number.isNaN(now) ? {} : { now }),
  };
}
