import { expect, test } from '@jest/globals';
import { parseHostOutput } from '../../src/adapters/aws/hosts/host-output.ts';
import { readRequests } from '../../src/adapters/aws/hosts/job-requests.ts';

const series = 'requests=gitlab_runner_job_router_get_job_duration_seconds_count';
const router = `${series} 12`;
const labelled = (runner: string) =>
  `${series}{result="no_job",runner="${runner}",system_id="s_1"} 12`;
const runners = ['runner=AbCdEfGhI 48213', 'runner=BbCdEfGhI 48214'];
const rest = (count: number) =>
  `requests=gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="AbCdEfGhI",status="204",system_id="s_1"} ${count}`;

test.each([
  ['the job router alone', [router], { answered: 0, refused: 0, byRouter: true }],
  ['the job router and a fallback', [router, rest(3)], { answered: 3, refused: 0, byRouter: true }],
  [
    'the job router, with the labels of 19.4',
    [labelled('AbCdEfGhI')],
    { answered: 0, refused: 0, byRouter: true },
  ],
  [
    'REST of a runner that exports the series of an unused router',
    [`${series} 0`, 'requests=gitlab_runner_job_router_circuit_breaker_state 0', rest(3)],
    { answered: 3, refused: 0 },
  ],
  ['REST alone', [rest(3)], { answered: 3, refused: 0 }],
])(
  'requests by %s are distinguished, and the router’s count is not a response of GitLab',
  (_, lines, requests) => {
    expect(readRequests(parseHostOutput(lines.join('\n')))).toEqual({ requests });
  },
);

test.each([
  ['its label, as 19.4 writes it', labelled('BbCdEfGhI')],
  ['no request over REST, since the series has no label', router],
])('among several runners, the one behind the job router is identified by %s', (_, line) => {
  expect(readRequests(parseHostOutput([...runners, line, rest(3)].join('\n')))).toEqual({
    requestsOf: [
      { registration: '48213', requests: { answered: 3, refused: 0 } },
      { registration: '48214', requests: { answered: 0, refused: 0, byRouter: true } },
    ],
  });
});
