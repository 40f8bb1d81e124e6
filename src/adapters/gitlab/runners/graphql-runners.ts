import { z } from 'zod';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Registration } from '../../../ports/registry.ts';
import { type Origin, readShape, unexpected } from '../../transport/answers/shape.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { numberOf } from './rest-runner.ts';
import { mostRunners } from './runner-cache.ts';

const fields =
  'id description maintenanceNote paused tagList runUntagged contactedAt jobExecutionStatus';

const runner = z.object({
  id: z.string(),
  description: printableName.nullish(),
  maintenanceNote: z.string().nullish(),
  paused: z.boolean(),
  tagList: z.array(z.string()),
  runUntagged: z.boolean(),
  contactedAt: z.string().nullable(),
  jobExecutionStatus: z.string().nullish(),
});

const aliases = Array.from({ length: mostRunners }, (_, at) => `r${at}`);

/** A runner that is null or incomplete leaves the others readable. */
export const runnersInGraphQl = z.object({
  data: z
    .object(Object.fromEntries(aliases.map((name) => [name, runner.nullish().catch(undefined)])))
    .nullish(),
});

/** The fields are those that REST returns of a runner. */
export async function queryRunners(
  client: GitLabClient,
  ids: readonly RegistrationId[],
): Promise<ReadonlyMap<RegistrationId, Registration>> {
  const asked = ids.map(
    (id, at) => `${aliases[at]}: runner(id: "gid://gitlab/Ci::Runner/${numberOf(id)}") { ...f }`,
  );
  const text = `query { ${asked.join(' ')} } fragment f on CiRunner { ${fields} }`;
  const { body } = await client.raw.post('../graphql', { body: { query: text } });
  const { redactor } = client;
  const origin: Origin = { source: 'GitLab POST /graphql', effect: 'none', redactor };
  const { data } = readShape(runnersInGraphQl, body, origin);
  // An unknown field, or a query that is too complex, leaves errors alone.
  if (!data) throw unexpected('the answer has no data', origin);
  const found = ids.flatMap((id, at): [RegistrationId, Registration][] => {
    const one = data[aliases[at] ?? ''];
    // Another runner's fields would decide about the wrong one.
    return one?.id === `gid://gitlab/Ci::Runner/${id}` ? [[id, toRegistration(id, one)]] : [];
  });
  return new Map(found);
}

function toRegistration(id: RegistrationId, one: z.infer<typeof runner>): Registration {
  return {
    id,
    description: one.description ?? '',
    note: one.maintenanceNote ?? '',
    paused: one.paused,
    tags: one.tagList,
    runUntagged: one.runUntagged,
    contacted: one.contactedAt !== null,
    // A response that was kept does not show that no job runs now.
    execution: one.jobExecutionStatus === 'ACTIVE' ? 'active' : 'unknown',
  };
}
