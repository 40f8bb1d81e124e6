import type { Parameter } from '../../../ports/state-store.ts';
import { lacking } from '../aws-client.ts';
import { readAwsPages } from '../pages.ts';
import type { Ssm } from '../services.ts';
import { validParameter } from './parameter-answer.ts';

/** Finds one of the 100 newest versions, which AWS keeps. */
export async function findInHistory(
  ssm: Ssm,
  name: string,
  version: number,
): Promise<Parameter | undefined> {
  for await (const page of readHistory(ssm, name)) {
    const found = page.find((entry) => entry.version === version);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Lists all versions that AWS keeps. Undefined only if AWS reports that the parameter does not
 * exist.
 */
export async function listHistory(
  ssm: Ssm,
  name: string,
): Promise<readonly Parameter[] | undefined> {
  const found: Parameter[] = [];
  let isThere = false;
  for await (const page of readHistory(ssm, name)) {
    isThere = true;
    found.push(...page);
  }
  if (!isThere) return undefined;
  if (found.length === 0) throw lacking(ssm, whatOf(name), 'no version');
  // If a version is written between two pages, an entry may appear on both.
  const byVersion = new Map(found.map((one) => [one.version, one]));
  return [...byVersion.values()];
}

async function* readHistory(ssm: Ssm, name: string): AsyncGenerator<readonly Parameter[], void> {
  const what = whatOf(name);
  const pages = readAwsPages({
    service: ssm,
    what,
    counts: 'parameters',
    answers: ['ParameterNotFound'],
    call: (client, token, options) =>
      client.getParameterHistory(
        { Name: name, WithDecryption: true, MaxResults: 50, ...token },
        options,
      ),
  });
  for await (const page of pages) {
    if (page.Parameters === undefined) throw lacking(ssm, what, 'no Parameters');
    yield page.Parameters.map((given) => validParameter({ what, name, given }));
  }
}

function whatOf(name: string): string {
  return `GetParameterHistory ${name}`;
}
