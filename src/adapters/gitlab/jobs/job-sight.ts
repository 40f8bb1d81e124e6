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
 * Reads whether this token sees all jobs of a runner. `GET runners/:id/jobs` only shows jobs of
 * projects that the user has at least the Reporter role in, except for administrators. An empty
 * list therefore counts only if the token sees every project.
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
    reason: 'the token may be unable to see the jobs of every project',
  } as const;
  try {
    const user = await readOne(client, 'user', { schema: ownUser });
    // An administrator without admin mode lacks the rights. Only administrators may read this list.
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
    return { list: 'whole', reason: `${user.username} can read every project of the group` };
  } catch (error) {
    if (!isPortFailure(error) || isPassing(error)) throw error;
    if (error.ground === undefined) return unproven;
    return { list: 'unproven', reason: `${unproven.reason}: ${error.detail}` };
  }
}

/**
 * Reads the execution status. REST has it only from 18.9 on. GraphQL had it before, for every type
 * of runner. It counts all running and canceling jobs, independent of the token's permissions
 * (app/graphql/types/ci/runner_type.rb and `with_executing_builds`, as of 17.x). Any other response
 * is unknown.
 */
async function readExecution(
  client: GitLabClient,
  id: RegistrationId,
): Promise<{ execution: Execution; refusal?: string }> {
  const query = { fields: 'jobExecutionStatus', schema: runnerInGraphQl };
  try {
    const word = (await findInGraphQl(client, id, query))?.jobExecutionStatus;
    if (word === 'ACTIVE') return { execution: 'active' };
    return { execution: word === 'IDLE' ? 'idle' : 'unknown' };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { execution: 'unknown', refusal: error.detail };
  }
}

/**
 * Returns the time after which GitLab ends a canceling job: 30 minutes from 19.2 on. Before, GitLab
 * ends a job without an update after an hour (an assumption).
 */
async function readCancelingLimit(client: GitLabClient): Promise<number> {
  const { version } = await readOne(client, 'metadata', { schema: serverVersion });
  return isOlderThan(version, { major: 19, minor: 2 }) ? 60 * minuteMs : 30 * minuteMs;
}
