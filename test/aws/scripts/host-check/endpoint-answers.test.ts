import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readReport } from '../../../../src/adapters/aws/hosts/host-report.ts';
import { hostCheckScript } from '../../../../src/adapters/aws/scripts/host-check-script.ts';
import { dockerHost } from '../../sandbox-aws.ts';
import { answering, curl, docker } from '../host-check-stubs.ts';
import { runOnHost } from '../on-a-host.ts';

const plain = (text: string) => text;

/** Returns the report of a check while one endpoint of the runner has another response. */
function reported(path: string, instead: string, known?: { exitcode: boolean }) {
  const body = `case "$line" in */${path}) ${instead} ;; *) ${inner} ;; esac`;
  const stubs = { curl: answering(body, known), docker: docker('running always ', '19.4.0') };
  const { output, calls } = runOnHost(hostCheckScript(dockerHost), stubs);
  expect(calls.filter((call) => call.startsWith('curl'))).toHaveLength(1);
  return readReport(output, plain);
}

const page = (body: string, header: string) =>
  `printf 'HTTP/1.1 200 OK\\r\\n${header}\\r\\n\\r\\n${body}'`;
const inner = `case "$line" in
  */debug/process/state) ${page('graceful-shutdown', 'Content-Length: 17')} ;;
  */health/ready) ${page('ready', 'Content-Length: 5')} ;;
  */debug/jobs/list) ${page('', 'X-List-Version: 2')} ;;
  *) printf 'HTTP/1.1 200 OK\\r\\n\\r\\n%s\\n' 'gitlab_runner_concurrent 10' 'gitlab_runner_api_request_statuses_total{endpoint="request_job",status="204"} 5' ;;
esac`;
const all = {
  process: 'quitting',
  ready: 'ready',
  jobs: [],
  requests: { answered: 5, refused: 0, slots: 10 },
};

describe.each([
  ['a curl that reports the code of each response', { exitcode: true }],
  ['a curl before 7.75', { exitcode: false }],
])('the four responses of a runner by %s', (_, known) => {
  const failures: [string, string][] = [
    ['refuses the connection', 'exit 7'],
    ['times out', 'exit 28'],
    ['breaks off', "printf 'HTTP/1.1 200 OK\\r\\nContent-Length: 900\\r\\n\\r\\nrun'; exit 18"],
    ['responds without a header', 'echo something; exit 1'],
  ];

  test('appear in the report', () => {
    expect(reported('nowhere', '', known)).toMatchObject(all);
  });

  test.each(failures)('stay known if the state %s', (_name, instead) => {
    const found = reported('debug/process/state', instead, known);
    expect(found).toMatchObject({ ...all, process: 'running' });
  });

  test.each(failures)('stay known if the readiness %s', (_name, instead) => {
    const found = reported('health/ready', instead, known);
    expect(found).toMatchObject({ ...all, ready: 'not_offered' });
  });

  test.each(failures.slice(0, 2))('stay known if the page of metrics %s', (_name, instead) => {
    const { requests, ...found } = reported('metrics', instead, known);
    expect({ ...found, requests: all.requests }).toMatchObject(all);
    expect(requests).toBeUndefined();
  });

  test('stay known if the page of metrics is refused', () => {
    const refused = "printf 'HTTP/1.1 503 no\\r\\n\\r\\ngitlab_runner_concurrent 10\\n'";
    expect(reported('metrics', refused, known)).not.toHaveProperty('requests');
  });

  test.each(failures)('stay known if the list of jobs %s', (_name, instead) => {
    const found = reported('debug/jobs/list', instead, known);
    expect(found).toMatchObject({ ...all, jobs: undefined });
    expect(found.listener).toBe(instead === 'exit 7' ? 'off' : undefined);
  });

  test('contain no job list if the header of the list is cut off', () => {
    const cut = "printf 'HTTP/1.1 200 OK\\r\\nX-List-Version: 2\\r\\n'; exit 18";
    expect(reported('debug/jobs/list', cut, known).jobs).toBeUndefined();
  });

  test('give no job count if the list breaks off', () => {
    const cut = `${page('url=https://gitlab.example.com/a/-/jobs/1', 'X-List-Version: 2')}; exit 18`;
    expect(reported('debug/jobs/list', cut, known).jobs).toBeUndefined();
  });
});

test('a curl that is killed before its first response leaves all four unknown', () => {
  const stubs = { curl: 'exit 137', docker: docker('running always ', '19.4.0') };
  const found = readReport(runOnHost(hostCheckScript(dockerHost), stubs).output, plain);
  expect(found).toMatchObject({ process: 'running', ready: 'not_offered', jobs: undefined });
  expect(found).not.toHaveProperty('listener');
  expect(found).not.toHaveProperty('requests');
});

test('no response can imitate the script’s end marker, which has the id of its process', () => {
  const forged = `${page('', 'Server: x')}; printf '\\nanswer.1 http 200/0/0\\nHTTP/1.1 200 OK\\r\\nX-List-Version: 2\\r\\n\\r\\n'`;
  expect(reported('debug/jobs/list', forged).jobs).toBeUndefined();
});

const awks = [
  ['mawk', '/usr/bin/mawk'],
  ['gawk', '/usr/bin/gawk'],
  ['busybox awk', '/bin/busybox awk'],
].filter(([, command = '']) => existsSync(command.split(' ')[0] ?? ''));

test.each(awks)('%s gives the same result as the awk of this machine', (_, command) => {
  const stubs = { curl: curl('19.4.0'), docker: docker('running always healthy', '19.4.0') };
  const one = runOnHost(hostCheckScript(dockerHost), stubs);
  const other = runOnHost(hostCheckScript(dockerHost), { ...stubs, awk: `exec ${command} "$@"` });
  // Each awk has a different order of the slots' states.
  const withoutTime = (text: string) =>
    text
      .replace(/^clock=.*/m, '')
      .split('\n')
      .sort();
  expect(withoutTime(other.text)).toEqual(withoutTime(one.text));
});
