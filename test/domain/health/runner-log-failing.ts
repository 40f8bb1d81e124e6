import type { DiagnosisCode } from '../../../src/domain/health/diagnosis.ts';
import { coloured, ids, jobs, json, newIds, text, url } from './runner-log.ts';

/** Failed job requests over REST and through the job router (router/client.go of 19.x). */
export const failingLines: readonly (readonly [string, string, readonly DiagnosisCode[]])[] = [
  ...['500 Internal Server Error', '408 Request Timeout', '409 Conflict', '425 Too Early'].flatMap(
    (status) => [
      [
        '18.6 and later',
        coloured('warning', `${jobs} failed`, { ...newIds, status: `POST ${url}: ${status}` }),
        ['registry_failing'],
      ] as const,
      [
        '18.6 and later, json',
        json('warning', `${jobs} failed`, { ...newIds, status: `POST ${url}: ${status}` }),
        ['registry_failing'],
      ] as const,
    ],
  ),
  [
    '15.0 and later, a time to wait',
    coloured('info', 'Waiting before making the next call', {
      context: 'ratelimit-requester-gitlab-request',
      duration: '1m0s',
      method: 'POST',
      url,
    }),
    ['registry_failing'],
  ],
  ...(
    [
      ['404 Not Found', 'address_wrong'],
      ['410 Gone', 'address_wrong'],
      ['400 Bad Request', 'address_wrong'],
      ['301 Moved Permanently', 'address_wrong'],
      ['422 Unprocessable Entity', 'runner_orphaned'],
      ['429 Too Many Requests', 'api_rate_limited'],
    ] as const
  ).map(
    ([status, code]) =>
      [
        '18.6 and later',
        coloured('warning', `${jobs} failed`, { ...newIds, status: `POST ${url}: ${status}` }),
        [code],
      ] as const,
  ),
  [
    '15.0 and later, a web page',
    coloured('warning', `${jobs} failed`, {
      ...newIds,
      status:
        'response is not application/json: server should return application/json. Got: text/html',
    }),
    ['address_wrong'],
  ],
  ...(
    [
      ['Unauthenticated', 'token_refused'],
      ['PermissionDenied', 'token_refused'],
      ['Internal', 'registry_failing'],
    ] as const
  ).flatMap(([code, found]) => {
    const fields = { ...ids, error: `rpc error: code = ${code} desc = ${code}` };
    const message = 'Error requesting a job';
    return [
      ['19.0 and later, job router', coloured('error', message, fields), [found]] as const,
      ['19.0 and later, job router, json', json('error', message, fields), [found]] as const,
      ['19.0 and later, job router, text', text('error', message, fields), [found]] as const,
    ];
  }),
];
