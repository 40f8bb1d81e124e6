import { expect, test } from '@jest/globals';
import { parseHostOutput } from '../../src/adapters/aws/hosts/host-output.ts';
import { readRequests } from '../../src/adapters/aws/hosts/job-requests.ts';

const router = 'requests=gitlab_runner_job_router_get_job_duration_seconds_count 12';
const rest = (count: number) =>
  `requests=gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="AbCdEfGhI",status="204",system_id="s_1"} ${count}`;

test.each([
  ['the job router alone', [router], { answered: 0, refused: 0, byRouter: true }],
  ['the job router and a fallback', [router, rest(3)], { answered: 3, refused: 0, byRouter: true }],
  ['REST alone', [rest(3)], { answered: 3, refused: 0 }],
])(
  'requests by %s are told apart, and the count of the router is no answer',
  (_, lines, requests) => {
    expect(readRequests(parseHostOutput(lines.join('\n')))).toEqual({ requests });
  },
);
