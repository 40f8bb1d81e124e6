import { describe, expect, test } from '@jest/globals';
import { readReport } from '../../../../src/adapters/aws/hosts/host-report.ts';
import { hostCheckScript } from '../../../../src/adapters/aws/scripts/host-check-script.ts';
import { dockerHost } from '../../sandbox-aws.ts';
import { answering, docker } from '../host-check-stubs.ts';
import { runOnHost } from '../on-a-host.ts';
import { missingShells, shells } from '../shells.ts';

const plain = (text: string) => text;

describe.each(shells)('a process with several runners, in %s', (_, shell) => {
  const series = (runner: string, status: number, count: number) =>
    `gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="${runner}",status="${status}",system_id="s_0123456789ab"} ${count}`;
  const section = (token: string, id?: number) =>
    `[[runners]]\n  name = "a"\n  url = "https://gitlab.example.com"\n${id === undefined ? '' : `  id = ${id}\n`}  token = "${token}"\n  [runners.docker]\n    image = "alpine"\n    id = 7\n`;
  const one = section('glrt-t1_AAAAAAAAAmade-up', 48213);
  const two = section('glrt-t1_BBBBBBBBBmade-up', 48214);
  const metrics = [
    'gitlab_runner_concurrent 10',
    series('AAAAAAAAA', 204, 500),
    series('AAAAAAAAA', 201, 7),
    series('BBBBBBBBB', 403, 3),
  ];
  function seen(configured: string, printed: readonly string[] = metrics) {
    const answers = `case "$line" in */metrics) cat <<'END'\n${printed.join('\n')}\nEND\n;; *) exit 7 ;; esac`;
    const inside = docker('running always ', '19.3.0', `concurrent = 10\n${configured}`);
    const stubs = { curl: answering(answers), docker: inside };
    const ran = runOnHost(hostCheckScript(dockerHost), stubs, { shell });
    const { requests, requestsOf } = readReport(ran.output, plain);
    return { ran, requests, requestsOf };
  }

  test('reports the requests of each runner by the id in its configuration, and no token', () => {
    const { ran, requests, requestsOf } = seen(one + two);
    expect({ requests, requestsOf }).toEqual({
      requests: undefined,
      requestsOf: [
        { registration: '48213', requests: { answered: 507, refused: 0 } },
        { registration: '48214', requests: { answered: 0, refused: 3 } },
      ],
    });
    expect(ran.text).not.toContain('made-up');
  });

  test('reports runners without an id and runners without requests', () => {
    const third = section('glrt-t1_CCCCCCCCCmade-up', 48215);
    expect(seen(section('glrt-t1_AAAAAAAAAmade-up') + two + third).requestsOf).toEqual([
      { requests: { answered: 507, refused: 0 } },
      { registration: '48214', requests: { answered: 0, refused: 3 } },
      { registration: '48215', requests: { answered: 0, refused: 0 } },
    ]);
  });

  test('reports which runner is behind the job router, and ignores an unused router', () => {
    const count = 'gitlab_runner_job_router_get_job_duration_seconds_count';
    const rest = ['gitlab_runner_job_router_circuit_breaker_state 0', ...metrics.slice(0, 3)];
    const behind = (line: string) =>
      seen(one + two, [...rest, series('BBBBBBBBB', 204, 0), line]).requestsOf?.map(
        ({ requests }) => requests.byRouter ?? false,
      );
    expect(behind(`${count}{result="no_job",runner="BBBBBBBBB",system_id="s_1"} 12`)).toEqual([
      false,
      true,
    ]);
    expect(behind(`${count} 1.2e+06`)).toEqual([false, true]);
    expect(behind(`${count} 0`)).toEqual([false, false]);
  });

  test('adds up responses that one runner received at the same time', () => {
    const parallel = ['201', '204'].flatMap((status) => [
      series('AAAAAAAAA', Number(status), 3),
      series('AAAAAAAAA', Number(status), 2).replace('endpoint=', 'method="post",endpoint='),
    ]);
    const { requests } = seen(one, ['gitlab_runner_concurrent 4', ...parallel]);
    expect(requests).toEqual({ answered: 10, refused: 0, slots: 4 });
  });

  test('counts every other response of each runner, and the requests without one', () => {
    const failed = [series('AAAAAAAAA', 500, 2), series('AAAAAAAAA', -100, 3)];
    expect(seen(one, [...metrics, ...failed]).requests).toEqual({
      answered: 507,
      refused: 0,
      failed: 5,
      slots: 10,
    });
  });

  test('counts as one runner if only one is left, and ignores its former token', () => {
    const { requests, requestsOf } = seen(one);
    expect({ requests, requestsOf }).toEqual({
      requests: { answered: 507, refused: 0, slots: 10 },
      requestsOf: undefined,
    });
  });

  test('prints nothing of its configuration if its metrics name a runner', () => {
    const { ran, requests } = seen(one + two, metrics.slice(0, 3));
    expect(requests).toEqual({ answered: 507, refused: 0, slots: 10 });
    expect(ran.text).not.toMatch(/^(?:runner|several)=|glrt/m);
  });

  test('counts all of them if its configuration cannot be read', () => {
    expect(seen('').requests).toEqual({ answered: 507, refused: 3, slots: 10 });
  });

  // `gitlab_runner_limit` lists each configured runner, even a new one.
  const limits = ['AAAAAAAAA', 'BBBBBBBBB'].map(
    (runner) => `gitlab_runner_limit{runner="${runner}",system_id="s_0123456789ab"} 0`,
  );

  test('counts as several even before the second runner sends a request', () => {
    expect(seen(one + two, [...limits, ...metrics.slice(0, 3)]).requestsOf).toEqual([
      { registration: '48213', requests: { answered: 507, refused: 0 } },
      { registration: '48214', requests: { answered: 0, refused: 0 } },
    ]);
  });

  test('counts as several, without their names, if the configuration cannot be read', () => {
    const { requests, requestsOf } = seen('', [...limits, ...metrics]);
    expect({ requests, requestsOf }).toEqual({
      requests: undefined,
      requestsOf: [
        { requests: { answered: 507, refused: 0 } },
        { requests: { answered: 0, refused: 3 } },
      ],
    });
  });

  test('never distinguishes runners by a file that names none of them', () => {
    const another = section('glrt-t1_DDDDDDDDDmade-up', 48219);
    const { requests, requestsOf } = seen(another, [...limits, ...metrics]);
    expect(requests).toBeUndefined();
    expect(requestsOf?.map(({ registration }) => registration)).toEqual([undefined, undefined]);
  });

  test('counts as one, without its former token, if the configuration cannot be read', () => {
    const { requests, requestsOf } = seen('', [...limits.slice(1), ...metrics]);
    expect({ requests, requestsOf }).toEqual({
      requests: { answered: 0, refused: 3, slots: 10 },
      requestsOf: undefined,
    });
  });
});

for (const [name, [path]] of missingShells) {
  // biome-ignore lint/suspicious/noSkippedTests: the shell is missing, as the name shows
  test.skip(`shell ${name} (not found: ${path})`, () => undefined);
}
