import { z } from 'zod';
import type { ReadAnswer } from '../transport/answers/read-answer.ts';
import { deprecation } from './runners/github-version-expiry.ts';
import { activeJobs, activeRuns } from './runners/jobs.ts';
import { groupOrganizations, groupRepositories, groupsPage } from './runners/runner-groups.ts';
import { page, registrationToken } from './runners/runners.ts';
import { canaryJobs } from './runs/canary-workflow.ts';
import { namedRuns } from './runs/run-names.ts';
import { run, runJobs } from './runs/runs.ts';

const places = ['/repos/:owner/:repo', '/orgs/:org', '/enterprises/:enterprise'] as const;
const ofRun = '/repos/:owner/:repo/actions/runs/:run_id';
const nothing = z.unknown();

/** Schemas of responses by call, for recordings. */
export const githubAnswers: readonly ReadAnswer[] = [
  ...places.flatMap((place) => ofRunners(`${place}/actions/runners`)),
  ...places.slice(1).flatMap((place) => ofGroups(`${place}/actions/runner-groups`)),
  {
    call: 'GET /repos/:owner/:repo/actions/workflows/:workflow_id/runs',
    by: 'the canary',
    schema: namedRuns,
  },
  {
    call: 'POST /repos/:owner/:repo/actions/workflows/:workflow_id/dispatches',
    by: 'the canary',
    schema: nothing,
  },
  { call: 'GET /repos/:owner/:repo/actions/runs', by: 'the jobs of runners', schema: activeRuns },
  { call: `GET ${ofRun}/jobs`, by: 'the canary', schema: canaryJobs },
  { call: `GET ${ofRun}/jobs`, by: 'the jobs of runners', schema: activeJobs },
  { call: `GET ${ofRun}/jobs`, by: 'the owner', schema: runJobs },
  { call: `GET ${ofRun}`, by: 'the owner', schema: run },
  { call: `POST ${ofRun}/cancel`, by: 'the canary', schema: nothing },
];

function ofRunners(path: string): ReadAnswer[] {
  return [
    { call: `GET ${path}`, by: 'the list of runners', schema: page },
    {
      call: `GET ${path}/deprecations/:version`,
      by: 'the expiry of a version',
      schema: deprecation,
    },
    { call: `DELETE ${path}/:runner_id`, by: 'the removal', schema: nothing },
    { call: `PUT ${path}/:runner_id/labels`, by: 'the labels', schema: nothing },
    { call: `POST ${path}/registration-token`, by: 'the new token', schema: registrationToken },
  ];
}

function ofGroups(path: string): ReadAnswer[] {
  const group = `${path}/:runner_group_id`;
  return [
    { call: `GET ${path}`, by: 'the groups', schema: groupsPage },
    { call: `GET ${group}/repositories`, by: 'the access to a group', schema: groupRepositories },
    { call: `GET ${group}/organizations`, by: 'the access to a group', schema: groupOrganizations },
    { call: `PUT ${group}/runners/:runner_id`, by: 'the move', schema: nothing },
  ];
}
