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
  const what = `GetParameterHistory ${name}`;
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
    const found = page.Parameters.find((entry) => entry.Version === version);
    if (found !== undefined) return validParameter({ what, name, given: found });
  }
  return undefined;
}
