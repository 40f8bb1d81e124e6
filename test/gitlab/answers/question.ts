import type { AnsweringGitLab, Overrides } from './answering-gitlab.ts';
import { endpointsOf, type KnownAnswer } from './known-answers.ts';

/** Method of a port, and the endpoint that it queries. */
export interface Question {
  readonly by: string;
  readonly call: string;
  /** Finding of a list that the question is about. */
  readonly about?: string;
  /** Values that replace the data's made-up ones in a good response. */
  readonly values?: object;
  /** Other responses on the way, if the data's own would lead elsewhere. */
  readonly world?: (version: string, answer: 'good' | 'bad', itself: KnownAnswer) => Overrides;
  send(gitlab: AnsweringGitLab): Promise<unknown>;
}

function answerOf(version: string, call: string): KnownAnswer {
  const found = endpointsOf(version).find((endpoint) => endpoint.call === call)?.success;
  if (found === undefined) throw new Error(`GitLab ${version} has no ${call}`);
  return found;
}

export function changed(version: string, call: string, fields: object): KnownAnswer {
  return withValues(answerOf(version, call), fields);
}

/** Returns the response with other values in it or in each of its items. */
export function withValues(answer: KnownAnswer, fields: object): KnownAnswer {
  const { body } = answer;
  const items = Array.isArray(body) ? body.map((item) => ({ ...item, ...fields })) : undefined;
  return { ...answer, body: items ?? { ...(body as object), ...fields } };
}

export function empty(version: string, call: string): KnownAnswer {
  const { headers = {}, ...answer } = answerOf(version, call);
  return { ...answer, headers: { ...headers, 'x-total': '0' }, body: [] };
}
