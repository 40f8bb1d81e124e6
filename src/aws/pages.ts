import type { SSM } from '@aws-sdk/client-ssm';
import { type Ssm, unexpectedAnswer } from './ssm.ts';

const mostPages = 200;

/** All pages of a list, or a rejection: never a part of it. Ends early if the caller does. */
export async function* readPages<Page extends { NextToken?: string | undefined }>({
  ssm,
  what,
  answers = [],
  call,
}: {
  ssm: Ssm;
  what: string;
  /** Names of errors that mean an empty list. */
  answers?: readonly string[];
  call: (
    client: SSM,
    token: { NextToken?: string },
    options: { readonly abortSignal?: AbortSignal },
  ) => Promise<Page>;
}): AsyncGenerator<Page> {
  let token: { NextToken?: string } = {};
  for (let count = 1; count <= mostPages; count += 1) {
    const answer = await ssm.ask({
      what,
      effect: 'read',
      call: (client, options) => call(client, token, options),
      answers,
    });
    if (answer.kind === 'refusal') return;
    yield answer.value;
    const next = answer.value.NextToken;
    if (next === undefined || next === '') return;
    token = { NextToken: next };
  }
  throw unexpectedAnswer({ what, detail: `more than ${mostPages} pages`, effect: 'read' });
}
