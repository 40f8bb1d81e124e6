import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type Origin, readShape, unexpected } from '../../transport/answers/shape.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { fromBoth, numberOf, runnerInBoth } from './rest-runner.ts';

/** GraphQL names of fields that REST also has. */
export const graphqlNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(runnerInBoth.shape).map((name) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name,
  ]),
);
const fields = ['id', ...Object.keys(graphqlNames), 'jobExecutionStatus'];

/**
 * Runners per query. GitLab's complexity counts one per field and one per runner. The limit is 200,
 * and 250 with a token (https://docs.gitlab.com/api/graphql/#limits). The list `runners` would
 * return 100, but only to administrators.
 */
export const mostRunners = Math.floor(200 / (fields.length + 1));

const runner = z
  .record(z.string(), z.unknown())
  .transform((response) =>
    Object.fromEntries(
      Object.entries(response).map(([name, value]) => [graphqlNames[name] ?? name, value]),
    ),
  )
  .pipe(runnerInBoth.extend({ id: z.string(), jobExecutionStatus: z.string().nullish() }));

const aliases = Array.from({ length: mostRunners }, (_, at) => `r${at}`);

/** A runner that is null or incomplete leaves the others readable. */
export const runnersInGraphQl = z.object({
  data: z
    .object(Object.fromEntries(aliases.map((name) => [name, runner.nullish().catch(undefined)])))
    .nullish(),
});

export async function queryRunners(
  client: GitLabClient,
  ids: readonly RegistrationId[],
): Promise<ReadonlyMap<RegistrationId, Registration>> {
  const queries = ids.map(
    (id, at) => `${aliases[at]}: runner(id: "gid://gitlab/Ci::Runner/${numberOf(id)}") { ...f }`,
  );
  const text = `query { ${queries.join(' ')} } fragment f on CiRunner { ${fields.join(' ')} }`;
  const { body } = await client.raw.post('../graphql', { body: { query: text } });
  const { redactor } = client;
  const origin: Origin = { source: 'GitLab POST /graphql', effect: 'none', redactor };
  const { data } = readShape(runnersInGraphQl, body, origin);
  // After an unknown field or an exceeded complexity, GitLab returns only errors.
  if (!data) throw unexpected('the response has no data', origin);
  const found = ids.flatMap((id, at): [RegistrationId, Registration][] => {
    const one = data[aliases[at] ?? ''];
    // A mismatch would apply one runner's fields to another.
    return one?.id === `gid://gitlab/Ci::Runner/${id}` ? [[id, toRegistration(id, one)]] : [];
  });
  return new Map(found);
}

function toRegistration(id: RegistrationId, one: z.infer<typeof runner>): Registration {
  return {
    ...fromBoth(id, one),
    // A cached response does not prove that no job runs now.
    execution: one.jobExecutionStatus === 'ACTIVE' ? 'active' : 'unknown',
  };
}
