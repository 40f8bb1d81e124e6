import { z } from 'zod';
import type { Execution, JobSight } from '../../../domain/registration.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import { isPassing, isPortFailure } from '../../../ports/failure.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import { readOne } from '../list-reader.ts';
import { answerWith, findInGraphQl } from '../runners/graphql-reader.ts';
import { member, ownUser } from '../runners/registry-probe.ts';
import { type RunnerDetails, readDetails } from '../runners/rest-runner.ts';
import { isOlderThan } from '../version.ts';
import type { RunnerScope } from './visibility.ts';

export const serverVersion = z.object({ version: z.string() });
export const runnerInGraphQl = answerWith({ jobExecutionStatus: z.string().nullish() });

const reporter = 20;
const minuteMs = 60_000;

/**
 * `GET runners/:id/jobs` shows jobs of those projects alone in which the reader is Reporter or more,
 * unless it reads everything: an empty list is the whole of it only where one of the two is proven.
 */
export async function readJobSight(
  client: GitLabClient,
  { scope, id }: { scope: RunnerScope; id: RegistrationId },
): Promise<JobSight> {
  const details = await readDetails(client, id);
  const word = details.job_execution_status;
  const { list, reason } = await proveWhole(client, scope, details);
  const { execution, refusal } =
    word === 'unknown' ? await readExecution(client, id) : { execution: word };
  return {
    list,
    reason: refusal === undefined || reason.includes(refusal) ? reason : `${reason}: ${refusal}`,
    execution,
    hiddenMs: await readCancelingLimit(client),
  };
}

async function proveWhole(
  client: GitLabClient,
  scope: RunnerScope,
  details: RunnerDetails,
): Promise<Pick<JobSight, 'list' | 'reason'>> {
  const unproven = {
    list: 'unproven',
    reason: 'it may not see the jobs of every project',
  } as const;
  try {
    const user = await readOne(client, 'user', { schema: ownUser });
    // An administrator without admin mode is one by name only; this list opens to nobody else.
    if (user.is_admin === true) {
      await client.raw.get('runners/all', { searchParams: { per_page: 1 } });
      return { list: 'whole', reason: `${user.username} is an administrator` };
    }
    const isOfGroup = (details.groups ?? []).some(
      (group) => scope.kind === 'group' && group.id === scope.groupId,
    );
    if (scope.kind !== 'group' || details.runner_type !== 'group_type' || !isOfGroup)
      return unproven;
    const endpoint = `groups/${scope.groupId}/members/all/${user.id}`;
    const { access_level: level } = await readOne(client, endpoint, { schema: member });
    if (level < reporter) return unproven;
    return { list: 'whole', reason: `${user.username} reads every project of the group` };
  } catch (error) {
    if (!isPortFailure(error) || isPassing(error)) throw error;
    if (error.ground === undefined) return unproven;
    return { list: 'unproven', reason: `${unproven.reason}: ${error.detail}` };
  }
}

/**
 * REST has it from 18.9 on only. GraphQL has it before, for every type of runner, and counts jobs
 * that run or are being canceled, whoever may see them (app/graphql/types/ci/runner_type.rb and
 * `with_executing_builds`, as of 17.x). Whatever else it answers is no answer.
 */
async function readExecution(
  client: GitLabClient,
  id: RegistrationId,
): Promise<{ execution: Execution; refusal?: string }> {
  const asked = { fields: 'jobExecutionStatus', schema: runnerInGraphQl };
  try {
    const word = (await findInGraphQl(client, id, asked))?.jobExecutionStatus;
    if (word === 'ACTIVE') return { execution: 'active' };
    return { execution: word === 'IDLE' ? 'idle' : 'unknown' };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { execution: 'unknown', refusal: error.detail };
  }
}

/**
 * When GitLab itself ends a job that is being canceled: after 30 minutes from 19.2 on; before, with
 * every job that says nothing for an hour, which is assumed.
 */
async function readCancelingLimit(client: GitLabClient): Promise<number> {
  const { version } = await readOne(client, 'metadata', { schema: serverVersion });
  return isOlderThan(version, { major: 19, minor: 2 }) ? 60 * minuteMs : 30 * minuteMs;
}
