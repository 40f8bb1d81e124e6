import { z } from 'zod';
import type { Execution } from '../../../domain/registration.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import { PortFailure } from '../../../ports/failure.ts';
import type { Registration } from '../../../ports/registry.ts';
import { printableName } from '../../transport/words/name.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { readOne } from '../list-reader.ts';

export const runnerSummary = z.object({
  id: z.number().int().positive(),
  description: printableName.nullish(),
});

// REST has it from 18.9 only, and a word that we do not know says nothing.
const execution = z
  .unknown()
  .optional()
  .transform((word): Execution => (word === 'active' || word === 'idle' ? word : 'unknown'));

const owner = z.object({ id: z.number(), web_url: z.string().nullish() });

/** What a change of it has to be seen in. */
export const editedRunner = z.object({
  paused: z.boolean(),
  tag_list: z.array(z.string()),
  run_untagged: z.boolean(),
});

/**
 * `status` is left out: REST says `paused` there instead of whether it was contacted, and `online`
 * for two hours after its host is gone.
 */
export const runnerDetails = editedRunner.extend({
  id: z.number().int().positive(),
  description: printableName.nullish(),
  runner_type: z.string(),
  contacted_at: z.string().nullable(),
  job_execution_status: execution,
  locked: z.boolean().nullish(),
  maintenance_note: z.string().nullish(),
  groups: z.array(owner).nullish(),
  projects: z.array(owner).nullish(),
});

export type RunnerDetails = z.infer<typeof runnerDetails>;

export const runnerManager = z.object({
  id: z.number().int().positive(),
  system_id: printableName,
  version: printableName.nullish(),
  created_at: z.string(),
  contacted_at: z.string().nullish(),
  job_execution_status: execution,
});

export function toRegistration(details: RunnerDetails): Registration {
  const place = (details.groups?.[0] ?? details.projects?.[0])?.web_url ?? undefined;
  return {
    id: String(details.id) as RegistrationId,
    description: details.description ?? '',
    note: details.maintenance_note ?? '',
    paused: details.paused,
    tags: details.tag_list,
    runUntagged: details.run_untagged,
    contacted: details.contacted_at !== null,
    execution: details.job_execution_status,
    ...(place === undefined ? {} : { url: `${place}/-/runners/${details.id}` }),
  };
}

export function readDetails(client: GitLabClient, id: RegistrationId): Promise<RunnerDetails> {
  return readOne(client, `runners/${numberOf(id)}`, { schema: runnerDetails });
}

/** GitLab's own id. Anything else would end up in a path. */
export function numberOf(id: RegistrationId): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: 'GitLab runners',
    detail: `${JSON.stringify(id.slice(0, 60))} is no id of a runner in GitLab`,
  });
}
