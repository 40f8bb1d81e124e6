import type { AwsClient } from '../../src/adapters/aws/aws-client.ts';
import { unexpectedAwsAnswer } from '../../src/adapters/aws/aws-failure.ts';
import { PortFailure } from '../../src/ports/failure.ts';

/** Responses by method: a value, a function of the request, or an error of AWS. */
export type Answers = Readonly<Record<string, object>>;

export interface RecordedClient<Client> {
  readonly service: AwsClient<Client>;
  /** Methods such as `deleteRole`, in the order of the calls. */
  readonly called: readonly string[];
}

/** Creates a client with these responses. */
export function createClient<Client>(answers: Answers): AwsClient<Client> {
  return recorded<Client>(answers).service;
}

/** Creates a client with these responses and records its calls. */
export function recorded<Client>(answers: Answers): RecordedClient<Client> {
  const called: string[] = [];
  const client = new Proxy({ config: { region: async () => 'eu-west-1' } } as object, {
    get: (known, name) =>
      Reflect.get(known, name) ??
      (async (request: object) => {
        called.push(String(name));
        const value = answers[String(name)];
        if (value instanceof Error) throw value;
        return typeof value === 'function' ? value(request) : value;
      }),
  }) as Client;
  const refused = (what: string, detail: string) =>
    new PortFailure({ kind: 'refused', effect: 'none', source: `AWS ${what}`, detail });
  const service: AwsClient<Client> = {
    async send({ what, call, answers: known = [] }) {
      try {
        return { kind: 'answer', value: await call(client, {}) };
      } catch (error) {
        const { name, message } = error as Error;
        if (known.includes(name)) return { kind: 'refusal', name, message };
        if (error instanceof PortFailure) throw error;
        throw refused(what, message);
      }
    },
    unexpected: (facts) => unexpectedAwsAnswer('AWS', facts),
    refused,
    close: () => undefined,
  };
  return { service, called };
}

/** Creates an error like the SDK's. */
export function refusalNamed(name: string, message = 'its own words'): Error {
  return Object.assign(new Error(message), { name });
}
