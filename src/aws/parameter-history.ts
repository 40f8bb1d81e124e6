import type { ParameterHistory } from '@aws-sdk/client-ssm';
import type { Parameter } from '../ports/parameters.ts';
import { readPages } from './pages.ts';
import { validParameter } from './parameter-answer.ts';
import { type Ssm, unexpectedAnswer } from './ssm.ts';

/** Looks for one version among those that are kept (the newest 100). */
export async function findInHistory(
  ssm: Ssm,
  name: string,
  version: number,
): Promise<Parameter | undefined> {
  for await (const page of readHistory(ssm, name)) {
    const found = page.find((entry) => entry.Version === version);
    if (found !== undefined) return validParameter({ what: whatOf(name), name, given: found });
  }
  return undefined;
}

/** All that are kept; undefined only if AWS says that there is no such parameter. */
export async function listHistory(
  ssm: Ssm,
  name: string,
): Promise<readonly Parameter[] | undefined> {
  const found: Parameter[] = [];
  for await (const page of readHistory(ssm, name))
    for (const given of page) found.push(validParameter({ what: whatOf(name), name, given }));
  // A page may come twice where a version was written between two of them.
  const byVersion = new Map(found.map((one) => [one.version, one]));
  return byVersion.size === 0 ? undefined : [...byVersion.values()];
}

async function* readHistory(
  ssm: Ssm,
  name: string,
): AsyncGenerator<readonly ParameterHistory[], void> {
  const what = whatOf(name);
  const pages = readPages({
    service: ssm,
    what,
    answers: ['ParameterNotFound'],
    call: (client, token, options) =>
      client.getParameterHistory(
        { Name: name, WithDecryption: true, MaxResults: 50, ...token },
        options,
      ),
  });
  for await (const page of pages) {
    if (page.Parameters === undefined) {
      throw unexpectedAnswer({ what, detail: 'the answer has no Parameters', effect: 'read' });
    }
    yield page.Parameters;
  }
}

function whatOf(name: string): string {
  return `GetParameterHistory ${name}`;
}
