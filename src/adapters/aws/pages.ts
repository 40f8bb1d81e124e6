import type { AwsClient } from './aws-client.ts';

const mostPages = 200;

export interface PagesRequest<Client, Page> {
  readonly service: AwsClient<Client>;
  readonly what: string;
  /** Quota of the calls, as in AwsCall. */
  readonly counts?: 'parameters';
  /** Names of errors that mean an empty list. */
  readonly answers?: readonly string[];
  readonly call: (
    client: Client,
    token: { NextToken?: string },
    options: { readonly abortSignal?: AbortSignal },
  ) => Promise<Page>;
}

/** Reads all pages of a list, or rejects: never a part of it. Stops early if the caller does. */
export async function* readAwsPages<Client, Page extends { NextToken?: string | undefined }>(
  request: PagesRequest<Client, Page>,
): AsyncGenerator<Page> {
  const { service, what, answers = [], call, ...counts } = request;
  let token: { NextToken?: string } = {};
  for (let count = 1; count <= mostPages; count += 1) {
    const answer = await service.send({
      what,
      effect: 'read',
      ...counts,
      call: (client, options) => call(client, token, options),
      answers,
    });
    if (answer.kind === 'refusal') return;
    yield answer.value;
    const next = answer.value.NextToken;
    if (next === undefined || next === '') return;
    token = { NextToken: next };
  }
  throw service.unexpected({ what, detail: `more than ${mostPages} pages`, effect: 'read' });
}
