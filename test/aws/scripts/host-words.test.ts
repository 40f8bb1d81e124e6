import type { SSM } from '@aws-sdk/client-ssm';
import { describe, expect, test } from '@jest/globals';
import { parseHostOutput } from '../../../src/adapters/aws/hosts/host-output.ts';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { listManagedHosts } from '../../../src/adapters/aws/hosts/hosts.ts';
import { judgeInvocation } from '../../../src/adapters/aws/hosts/invocation.ts';
import { judgeQuit, judgeStart, judgeStop } from '../../../src/adapters/aws/hosts/stop-result.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { createClient } from '../stub-client.ts';

const plain = (text: string) => text;
const reportOf = (...lines: readonly string[]) =>
  readReport(parseHostOutput(lines.join('\n')), plain);

/** Returns the runner's list of jobs as `curl --include` prints it. */
function jobsPage(...more: readonly string[]): string[] {
  const page = ['HTTP/1.1 200 OK', 'X-List-Version: 2', '', ...more];
  return ['jobs_code=0', `jobs_lines=${page.length}`, ...page.map((line) => `jobs=${line}`)];
}

describe('the job list of a host', () => {
  test('stays empty if the runner reports no job', () => {
    expect(reportOf(...jobsPage()).jobs).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ['another program responds at the port', jobsPage().filter((line) => !/X-List/.test(line))],
    ['its page is not a success', jobsPage().map((line) => line.replace('200 OK', '503 no'))],
    [
      'the response broke off',
      jobsPage().map((line) => line.replace('jobs_code=0', 'jobs_code=18')),
    ],
    ['the length of the response is missing', jobsPage().filter((line) => !/_lines/.test(line))],
    ['the output is empty', ['jobs_code=0', 'jobs_lines=0']],
  ])('stays unknown if %s', (_, lines) => {
    expect(reportOf(...lines).jobs).toBeUndefined();
  });

  test('shows the full count if the host did not print every job', () => {
    const page = jobsPage('url=https://gitlab.example.com/a/-/jobs/1').map((line) =>
      line.replace(/jobs_lines=\d+/, 'jobs_lines=6'),
    );
    expect(reportOf(...page).jobs).toEqual([
      'url=https://gitlab.example.com/a/-/jobs/1',
      'a job that the host did not print',
      'a job that the host did not print',
    ]);
  });
});

describe('the slots of an autoscaler', () => {
  test.each<[string, readonly string[], Readonly<Record<string, number>> | undefined]>([
    ['slots by their state', ['tasks=idle 2', 'tasks=unhealthy 1'], { idle: 2, unhealthy: 1 }],
    ['unknown if the metrics are missing', [], undefined],
    ['unknown if one slot cannot be read', ['tasks=idle 2', 'tasks=idle x'], undefined],
    ['unknown if a number broke off', ['tasks=idle 2', 'tasks=acq'], undefined],
  ])('appear in the report: %s', (_, lines, expected) => {
    expect(reportOf(...lines).slots).toEqual(expected);
  });
});

describe('the jobs of a host of GitHub’s runner', () => {
  test.each<[string, readonly string[], readonly string[] | undefined]>([
    ['the search found no worker', ['workers_code=1', 'messages=0'], []],
    ['the search failed', ['workers_code=2'], undefined],
    ['the search was killed', ['workers_code=124'], undefined],
    ['the search found a worker without printing it', ['workers_code=0'], undefined],
    ['the search found none and printed one', ['workers_code=1', 'worker=7'], undefined],
    ['a worker runs', ['workers_code=0', 'worker=7'], ['Runner.Worker, process 7']],
    [
      'the listener holds a job',
      ['workers_code=1', 'messages=1'],
      ['a job that the listener holds before its Runner.Worker starts'],
    ],
    ['the record cannot be read', ['workers_code=1', 'messages=unreadable'], undefined],
  ])('follow from the observation: %s', (_, lines, jobs) => {
    expect(reportOf(...lines).jobs).toEqual(jobs);
  });

  test('continue if the listener has ended and a worker lives', () => {
    const unit = ['show_code=0', 'unit=LoadState=loaded', 'unit=ActiveState=inactive'];
    expect(reportOf(...unit, 'workers_code=0', 'worker=7').process).toBe('quitting');
    expect(reportOf(...unit, 'workers_code=1').process).toBe('stopped');
  });
});

describe('a runner process', () => {
  test.each([
    ['inspect_code=0', 'inspect=running always', 'running', true],
    ['inspect_code=0', 'inspect=running unless-stopped', 'running', true],
    ['inspect_code=0', 'inspect=exited on-failure', 'stopped', true],
    ['inspect_code=0', 'inspect=exited no', 'stopped', false],
    ['inspect_code=0', 'inspect=paused no', 'unknown', false],
    ['inspect_code=0', 'inspect=', 'unknown', true],
    ['inspect_code=1', 'inspect=Error: No such object: gitlab-runner', 'absent', false],
    ['inspect_code=1', 'inspect=Cannot connect to the Docker daemon', 'unknown', true],
    ['inspect_code=125', 'inspect=', 'unknown', true],
  ])(
    'keeps the state that Docker reports, and unknown otherwise: %s, %s',
    (code, text, process, restarts) => {
      expect(reportOf(code, text)).toMatchObject({ process, restarts });
    },
  );

  test.each([
    ['loaded', 'active', 'on-failure', { process: 'running', restarts: true }],
    ['loaded', 'inactive', 'no', { process: 'stopped', restarts: false }],
    ['loaded', 'maintenance', 'no', { process: 'unknown', restarts: false }],
    ['loaded', '', 'always', { process: 'unknown', restarts: true }],
    ['not-found', 'inactive', 'no', { process: 'absent', restarts: false }],
  ])(
    'keeps the state that systemd reports, and unknown otherwise: %s, %s',
    (load, active, restart, is) => {
      const unit = [`unit=LoadState=${load}`, `unit=ActiveState=${active}`];
      const report = reportOf('show_code=0', ...unit, `unit=Restart=${restart}`);
      expect(report).toMatchObject(is);
    },
  );

  // systemd's states of a unit that runs the container. Between two starts, it is `activating`.
  test.each<[string, readonly string[], string, boolean]>([
    ['auto-restart after a crash', ['activating', 'auto-restart', 'on-failure'], 'starting', true],
    ['a command that runs before a start', ['activating', 'start-pre', 'no'], 'starting', true],
    ['not yet reported the end', ['active', 'running', 'on-failure'], 'stopped', true],
    ['received a stop request', ['deactivating', 'stop-post', 'no'], 'stopped', false],
    ['ended permanently', ['inactive', 'dead', 'on-failure'], 'stopped', false],
    ['given up', ['failed', 'failed', 'always'], 'stopped', false],
    ['started it and detached from it', ['active', 'exited', 'on-failure'], 'stopped', false],
    ['a pending start', ['inactive', 'dead', 'on-failure', '812'], 'starting', true],
    ['an undocumented state', ['maintenance', '', 'on-failure'], 'stopped', true],
  ])(
    'does not count as ended if its unit has %s',
    (_, [state, sub, restart, job], process, restarts) => {
      const unit = [`ActiveState=${state}`, `SubState=${sub}`, `Restart=${restart}`];
      // systemctl also prints a requested property with an empty value.
      const printed = [...unit, `Job=${job ?? ''}`].map((one) => `unit=${one}`);
      const gone = 'inspect=Error: No such object: gitlab-runner';
      expect(reportOf('inspect_code=0', 'inspect=exited no', ...printed)).toMatchObject({
        process,
        restarts,
      });
      expect(reportOf('inspect_code=1', gone, ...printed)).toMatchObject({
        process: process === 'stopped' ? 'absent' : process,
        restarts,
      });
      expect(reportOf('inspect_code=0', 'inspect=running no', ...printed).process).toBe('running');
    },
  );

  test('may start again if systemd does not report the unit’s restart policy', () => {
    const report = reportOf('inspect_code=0', 'inspect=exited no', 'unit_code=124');
    expect(report).toMatchObject({ process: 'stopped', restarts: true });
  });

  test('counts as ended if the runner in its running wrapper has ended', () => {
    const running = ['inspect_code=0', 'inspect=running always'];
    const state = (byte: string) => `wrapper=000000000208${byte}`;
    expect(reportOf(...running, state('01')).process).toBe('running');
    expect(reportOf(...running, state('02')).process).toBe('quitting');
    expect(reportOf(...running, state('03')).process).toBe('stopped');
    expect(reportOf(...running, state('09')).process).toBe('running');
  });
});

describe('a script that acts', () => {
  const outputOf = (result: string, ...more: string[]) => [`result=${result}`, ...more].join('\n');

  test('achieved what its last line reports, and nothing if it was cut off', () => {
    expect(judgeStop(outputOf('sent', 'end=1'), plain)).toEqual({ kind: 'sent' });
    expect(judgeStart(outputOf('started', 'end=1'), plain)).toEqual({ kind: 'started' });
    const reason = 'the script did not report its result';
    for (const cut of [judgeStop(outputOf('sent'), plain), judgeStart(outputOf('started'), plain)])
      expect(cut).toEqual({ kind: 'refused', reason });
    expect(judgeQuit(outputOf('runs_a_job'), plain)).toMatchObject({ kind: 'refused' });
    expect(judgeQuit(outputOf('runs_a_job', 'end=1'), plain)).toMatchObject({ kind: 'busy' });
  });

  test('achieved nothing if its last line is unknown', () => {
    for (const word of ['toString', '__proto__', 'SENT', ''])
      expect(judgeStop(outputOf(word, 'end=1'), plain).kind).toBe('refused');
  });
});

describe('an invocation', () => {
  test.each([
    ['PT3.2S', 'the command was killed on the host after 3s (SIGKILL,'],
    ['PT29.9S', 'the command was killed on the host after 29s (SIGKILL,'],
    ['PT1M0.5S', 'the command started but did not end within 30s'],
    ['', 'the command started but did not end within 30s'],
  ])('counts as lost if it is TimedOut with 137 after %s: %s', (ExecutionElapsedTime, reason) => {
    for (const StatusDetails of ['TimedOut', 'Execution Timed Out']) {
      const given = { Status: 'TimedOut', StatusDetails, ResponseCode: 137, ExecutionElapsedTime };
      const limits = { executionSeconds: 30, mayHaveBegun: true };
      const found = judgeInvocation(given as never, limits);
      expect(found).toEqual({ kind: 'lost', reason: expect.stringContaining(reason) });
    }
  });

  const verdictOf = (Status: string, StatusDetails = Status, mayHaveBegun = false) =>
    judgeInvocation({ Status, StatusDetails } as never, { executionSeconds: 30, mayHaveBegun })
      .kind;

  test('counts as lost if it expired and may have begun', () => {
    expect(verdictOf('TimedOut', 'Delivery Timed Out', true)).toBe('lost');
  });

  test.each([
    ['Delivery Timed Out', 'TimedOut', 'undelivered'],
    ['Execution Timed Out', 'TimedOut', 'lost'],
    ['TimedOut', 'TimedOut', 'lost'],
    ['Cancelled', 'Cancelled', 'lost'],
    ['InProgress', 'InProgress', 'waiting'],
    ['Exhausted', 'Exhausted', 'unknown'],
    ['Success', 'Success', 'unknown'],
  ])(
    '%s (%s) counts as %s: an invocation that may have begun is never undelivered',
    (details, status, kind) => {
      expect(verdictOf(status, details)).toBe(kind);
    },
  );
});

// https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_InstanceInformation.html
test.each([
  ['Linux', undefined],
  ['Windows', 'Windows'],
  ['MacOS', 'macOS'],
  [undefined, undefined],
])('a host with the status %s at Systems Manager counts as %s', async (PlatformType, platform) => {
  const id = 'i-0123456789abcdef0';
  const entry = { InstanceId: id, PingStatus: 'Online', PlatformType };
  const ssm = createClient<SSM>({
    describeInstanceInformation: { InstanceInformationList: [entry] },
  });
  const hosts = await listManagedHosts(ssm, stackShard('pink', 'linux'));
  expect(hosts).toEqual([{ id, agent: 'online', ...(platform ? { platform } : {}) }]);
});
