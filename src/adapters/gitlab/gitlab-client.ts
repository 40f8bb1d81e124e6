import { Jobs, Runners, Users } from '@gitbeaker/rest';
import type { ReadOnlyMet } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';
import type { Redactor } from '../transport/words/redaction.ts';
import { createRequester, type Requester, readText } from './requester.ts';

export interface GitLabClientOptions {
  /** Address of GitLab without `/api/v4`. */
  readonly url: string;
  readonly token: string;
  readonly transport: Transport;
  readonly redactor: Redactor;
}

/** GitLab client for one token. Every method only rejects with a PortFailure. */
export interface GitLabClient {
  readonly url: string;
  readonly redactor: Redactor;
  readonly runners: Runners;
  readonly users: Users;
  readonly jobs: Jobs;
  /** Sends requests that gitbeaker has no method for. The path is relative to `/api/v4/`. */
  readonly raw: Requester;
  /** Sends requests to routes that respond with plain text. */
  readonly rawText: Requester;
  /** Returns the last refusal of a write because GitLab was read-only. */
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
  // Gitbeaker sets no deadline: the transport does, with a clock that tests control.
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
