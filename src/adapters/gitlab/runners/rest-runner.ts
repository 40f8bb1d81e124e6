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

// Execution status, which REST has from 18.9 on. An unknown value proves nothing.
const execution = z
  .unknown()
  .optional()
  .transform((word): Execution => (word === 'active' || word === 'idle' ? word : 'unknown'));

const owner = z.object({ id: z.number(), web_url: z.string().nullish() });

/** Fields that REST and GraphQL share, by REST's names. */
export const runnerInBoth = z.object({
  description: printableName.nullish(),
  maintenance_note: z.string().nullish(),
  paused: z.boolean(),
  tag_list: z.array(z.string()),
  run_untagged: z.boolean(),
  contacted_at: z.string().nullable(),
});

/** Fields that must show a change. */
export const editedRunner = runnerInBoth.pick({ paused: true, tag_list: true, run_untagged: true });

/**
 * Details of a runner, without `status`. REST returns `paused` there instead of the contact, and
 * `online` for two hours after its host is gone.
 */
export const runnerDetails = runnerInBoth.extend({
  id: z.number().int().positive(),
  runner_type: z.string(),
  job_execution_status: execution,
  locked: z.boolean().nullish(),
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
    ...fromBoth(String(details.id) as RegistrationId, details),
    execution: details.job_execution_status,
    ...(place === undefined ? {} : { url: `${place}/-/runners/${details.id}` }),
  };
}

export function fromBoth(
  id: RegistrationId,
  response: z.infer<typeof runnerInBoth>,
): Omit<Registration, 'execution'> {
  return {
    id,
    description: response.description ?? '',
    note: response.maintenance_note ?? '',
    paused: response.paused,
    tags: response.tag_list,
    runUntagged: response.run_untagged,
    contacted: response.contacted_at !== null,
  };
}

export function readDetails(client: GitLabClient, id: RegistrationId): Promise<RunnerDetails> {
  return readOne(client, `runners/${numberOf(id)}`, { schema: runnerDetails });
}

/** Returns GitLab's id. Anything else would become part of a path. */
export function numberOf(id: RegistrationId): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: 'GitLab runners',
    detail: `${JSON.stringify(id.slice(0, 60))} is not a runner id of GitLab`,
  });
}
