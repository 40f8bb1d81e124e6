import { Jobs, Runners, Users } from '@gitbeaker/rest';
import type { ReadOnlyMet } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';
import type { Redactor } from '../transport/words/redaction.ts';
import { createRequester, type Requester, readText } from './requester.ts';

export interface GitLabClientOptions {
  /** GitLab's own address, without `/api/v4`. */
  readonly url: string;
  readonly token: string;
  readonly transport: Transport;
  readonly redactor: Redactor;
}

/** GitLab as one token sees it. Every method rejects with a PortFailure, and with nothing else. */
export interface GitLabClient {
  readonly url: string;
  readonly redactor: Redactor;
  readonly runners: Runners;
  readonly users: Users;
  readonly jobs: Jobs;
  /** For what gitbeaker has no method for; the path begins below `/api/v4/`. */
  readonly raw: Requester;
  /** The same, for a route that responds with plain text. */
  readonly rawText: Requester;
  /** When a write of ours was last refused because nobody may write. */
  readonly readOnlyMet: () => ReadOnlyMet | undefined;
}

export function createGitLabClient(options: GitLabClientOptions): GitLabClient {
  const { token, redactor } = options;
  redactor.add(token);
  let met: ReadOnlyMet | undefined;
  const onReadOnly = (word: ReadOnlyMet) => {
    met = word;
  };
  const transport: Transport = (request) => options.transport({ ...request, onReadOnly });
  const host = options.url.replace(/\/+$/, '');
  const requesterFn = createRequester(transport, redactor);
  // No deadline of gitbeaker's: the transport keeps them, by a clock that tests can turn.
  const shared = { host, token, requesterFn, queryTimeout: null };
  const runners = new Runners(shared);
  const text = new Runners({
    ...shared,
    requesterFn: createRequester(transport, redactor, readText),
  });
  return {
    url: host,
    redactor,
    runners,
    users: new Users(shared),
    jobs: new Jobs(shared),
    raw: runners.requester,
    rawText: text.requester,
    readOnlyMet: () => met,
  };
}
