import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readReport } from '../../../../src/adapters/aws/hosts/host-report.ts';
import { hostCheckScript } from '../../../../src/adapters/aws/scripts/host-check-script.ts';
import { dockerHost } from '../../sandbox-aws.ts';
import { answering, curl, docker } from '../look-stubs.ts';
import { runOnHost } from '../on-a-host.ts';

const plain = (text: string) => text;

/** What a check reports while one endpoint of the runner answers otherwise. */
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
  ['a curl that reports the code of each answer', { exitcode: true }],
  ['a curl before 7.75', { exitcode: false }],
])('the four answers of a runner by %s', (_, known) => {
  const failures: [string, string][] = [
    ['refuses the connection', 'exit 7'],
    ['does not answer in time', 'exit 28'],
    ['breaks off', "printf 'HTTP/1.1 200 OK\\r\\nContent-Length: 900\\r\\n\\r\\nrun'; exit 18"],
    ['answers without a header', 'echo something; exit 1'],
  ];

  test('are reported', () => {
    expect(reported('nowhere', '', known)).toMatchObject(all);
  });

  test.each(failures)('stay known where the state %s', (_name, instead) => {
    const found = reported('debug/process/state', instead, known);
    expect(found).toMatchObject({ ...all, process: 'running' });
  });

  test.each(failures)('stay known where the readiness %s', (_name, instead) => {
    const found = reported('health/ready', instead, known);
    expect(found).toMatchObject({ ...all, ready: 'not_offered' });
  });

  test.each(failures.slice(0, 2))('stay known where the page of metrics %s', (_name, instead) => {
    const { requests, ...found } = reported('metrics', instead, known);
    expect({ ...found, requests: all.requests }).toMatchObject(all);
    expect(requests).toBeUndefined();
  });

  test('stay known where the page of metrics is refused', () => {
    const refused = "printf 'HTTP/1.1 503 no\\r\\n\\r\\ngitlab_runner_concurrent 10\\n'";
    expect(reported('metrics', refused, known)).not.toHaveProperty('requests');
  });

  test.each(failures)('stay known where the list of jobs %s', (_name, instead) => {
    const found = reported('debug/jobs/list', instead, known);
    expect(found).toMatchObject({ ...all, jobs: undefined });
    expect(found.listener).toBe(instead === 'exit 7' ? 'off' : undefined);
  });

  test('are no list of jobs where the header of a list is cut off', () => {
    const cut = "printf 'HTTP/1.1 200 OK\\r\\nX-List-Version: 2\\r\\n'; exit 18";
    expect(reported('debug/jobs/list', cut, known).jobs).toBeUndefined();
  });

  test('hold a job of a list that breaks off for no proof of how many there are', () => {
    const cut = `${page('url=https://gitlab.example.com/a/-/jobs/1', 'X-List-Version: 2')}; exit 18`;
    expect(reported('debug/jobs/list', cut, known).jobs).toBeUndefined();
  });
});

test('a curl that is killed before its first answer leaves all four unknown', () => {
  const stubs = { curl: 'exit 137', docker: docker('running always ', '19.4.0') };
  const found = readReport(runOnHost(hostCheckScript(dockerHost), stubs).output, plain);
  expect(found).toMatchObject({ process: 'running', ready: 'not_offered', jobs: undefined });
  expect(found).not.toHaveProperty('listener');
  expect(found).not.toHaveProperty('requests');
});

test('no answer can end itself as the script does: the mark has the id of its process', () => {
  const forged = `${page('', 'Server: x')}; printf '\\nanswer.1 http 200/0/0\\nHTTP/1.1 200 OK\\r\\nX-List-Version: 2\\r\\n\\r\\n'`;
  expect(reported('debug/jobs/list', forged).jobs).toBeUndefined();
});

const awks = [
  ['mawk', '/usr/bin/mawk'],
  ['gawk', '/usr/bin/gawk'],
  ['busybox awk', '/bin/busybox awk'],
].filter(([, command = '']) => existsSync(command.split(' ')[0] ?? ''));

test.each(awks)('%s reads the same as the awk of this machine', (_, command) => {
  const stubs = { curl: curl('19.4.0'), docker: docker('running always healthy', '19.4.0') };
  const one = runOnHost(hostCheckScript(dockerHost), stubs);
  const other = runOnHost(hostCheckScript(dockerHost), { ...stubs, awk: `exec ${command} "$@"` });
  // An awk goes through the states of slots in an order of its own.
  const withoutTime = (text: string) =>
    text
      .replace(/^clock=.*/m, '')
      .split('\n')
      .sort();
  expect(withoutTime(other.text)).toEqual(withoutTime(one.text));
});
