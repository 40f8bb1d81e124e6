import { z } from 'zod';
import type { RegistrationId } from '../domain/shard.ts';
import { PortFailure } from '../ports/failure.ts';
import type { Registration } from '../ports/registry.ts';
import type { GitLabClient } from './client.ts';
import { readOne } from './listing.ts';

export const runnerSummary = z.object({
  id: z.number().int().positive(),
  description: z.string().nullable(),
});

const executing = z.enum(['active', 'idle']);

const owner = z.object({ id: z.number(), web_url: z.string().optional() });

export const runnerDetails = runnerSummary.extend({
  paused: z.boolean(),
  runner_type: z.enum(['instance_type', 'group_type', 'project_type']),
  status: z.enum(['online', 'offline', 'stale', 'never_contacted']),
  job_execution_status: executing,
  tag_list: z.array(z.string()),
  run_untagged: z.boolean(),
  maintenance_note: z.string().nullish(),
  groups: z.array(owner).optional(),
  projects: z.array(owner).optional(),
});

export type RunnerDetails = z.infer<typeof runnerDetails>;

export const runnerManager = z.object({
  id: z.number().int().positive(),
  system_id: z.string().min(1),
  version: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }),
  contacted_at: z.iso.datetime({ offset: true }).nullish(),
  job_execution_status: executing,
});

export function toRegistration(details: RunnerDetails): Registration {
  const place = (details.groups?.[0] ?? details.projects?.[0])?.web_url;
  return {
    id: String(details.id) as RegistrationId,
    description: details.description ?? '',
    note: details.maintenance_note ?? '',
    paused: details.paused,
    tags: details.tag_list,
    runUntagged: details.run_untagged,
    // `stale` hides a runner that never contacted; it counts as one that did, which is the safe side.
    contacted: details.status !== 'never_contacted',
    busy: details.job_execution_status === 'active',
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
