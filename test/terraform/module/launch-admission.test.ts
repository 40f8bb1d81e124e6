import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  hostFiles,
  openHost,
  type RunningScript,
  type StandInHost,
  until,
} from './stand-in-host.ts';

/** Pages of a runner's `listen_address`; an absent page is a 404. */
interface Runner {
  readonly pages: Map<string, { status: number; body: string }>;
  readonly url: string;
  close(): Promise<void>;
}

async function startRunner(): Promise<Runner> {
  const pages: Runner['pages'] = new Map();
  const server = createServer((request, response) => {
    const { status, body } = pages.get(request.url ?? '') ?? { status: 404, body: '' };
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    pages,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const counter = 'gitlab_runner_api_request_statuses_total';
const formatMetrics = (status: number, count = 3) =>
  `# TYPE ${counter} counter\n${counter}{endpoint="request_job",runner="abc",status="${status}",system_id="r_1"} ${count}\n`;

let host: StandInHost;
let runner: Runner;
beforeEach(async () => {
  host = await openHost();
  runner = await startRunner();
  host.imds.values.set('autoscaling/target-lifecycle-state', 'InService');
  host.stub('aws', 'exit 0');
  host.stub('systemctl', 'exit 1');
});
afterEach(async () => {
  await host.close();
  await runner.close();
});

const started: RunningScript[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.kill();
});

function admit(env: Record<string, string> = {}): RunningScript {
  const script = host.start(join(hostFiles, 'launch-admission.sh'), {
    env: {
      LAUNCH_HOOK_NAME: 'admit',
      AUTOSCALING_GROUP_NAME: 'runners',
      RUNNER_URL: runner.url,
      ...env,
    },
  });
  started.push(script);
  return script;
}

const page = (path: string, status: number, body = '') => runner.pages.set(path, { status, body });
const answers = () => host.calls().filter((call) => call.includes('complete-lifecycle-action'));
const answer = (result: string) =>
  `aws autoscaling complete-lifecycle-action --lifecycle-action-result ${result} --region eu-west-1 --lifecycle-hook-name admit --auto-scaling-group-name runners --instance-id i-0123456789abcdef0`;

describe('the launch admission of a GitLab host', () => {
  test('admits the host once its runner is ready and has a response from GitLab', async () => {
    page('/health/ready', 503);
    const script = admit();
    await until(() =>
      script.text().includes('waiting: the runner reports that it is not ready (503)'),
    );
    page('/health/ready', 200);
    page('/metrics', 200, '');
    await until(() =>
      script.text().includes('waiting: GitLab has not responded to the runner yet'),
    );
    expect(answers()).toEqual([]);
    page('/metrics', 200, formatMetrics(204));
    expect((await script.ended).code).toBe(0);
    expect(answers()).toEqual([answer('CONTINUE')]);
    expect(script.text()).toContain(
      'admitted: the runner is ready, and GitLab has responded to it',
    );
  });

  test('admits a runner without a health page by GitLab’s responses', async () => {
    page('/metrics', 200, formatMetrics(201));
    expect((await admit().ended).code).toBe(0);
    expect(answers()).toEqual([answer('CONTINUE')]);
  });

  test.each([
    ['a refused token', formatMetrics(403), 'GitLab refuses the token'],
    [
      'requests without one good response',
      formatMetrics(204, 0),
      'GitLab has not responded to the runner yet',
    ],
    ['responses of 500', formatMetrics(500), 'GitLab has not responded to the runner yet'],
  ])('abandons the host at the end with %s, and logs the reason', async (_name, metrics, why) => {
    page('/metrics', 200, metrics);
    const script = admit({ ADMISSION_SECONDS: '1' });
    expect((await script.ended).code).toBe(1);
    expect(script.text()).toContain(`abandoned after 1s: ${why}`);
    expect(answers()).toEqual([answer('ABANDON')]);
  });

  test.each([
    ['does not respond', () => runner.close(), 'the runner does not respond'],
    ['returns no metrics', async () => page('/health/ready', 200), 'the runner returns no metrics'],
  ])('does not count a runner that %s as healthy', async (_name, spoil, why) => {
    await spoil();
    const script = admit({ ADMISSION_SECONDS: '1' });
    expect((await script.ended).code).toBe(1);
    expect(script.text()).toContain(`abandoned after 1s: ${why}`);
  });

  test('abandons a host at once if its runner has failed permanently', async () => {
    host.stub('systemctl', 'exit 0');
    const script = admit();
    expect((await script.ended).code).toBe(1);
    expect(script.text()).toContain('abandoned: gitlab-runner.service has failed permanently');
    expect(answers()).toEqual([answer('ABANDON')]);
  });

  test('renews the heartbeat while it waits', async () => {
    const script = admit({ HEARTBEAT_SECONDS: '1' });
    const beats = () => host.calls().filter((call) => call.includes('action-heartbeat'));
    await until(() => beats().length >= 2);
    page('/metrics', 200, formatMetrics(204));
    expect((await script.ended).code).toBe(0);
  });

  test('retries the completion after a refusal', async () => {
    host.stub('aws', '[ -e "$HOST/asked" ] && exit 0; touch "$HOST/asked"; exit 254');
    page('/metrics', 200, formatMetrics(204));
    const script = admit();
    expect((await script.ended).code).toBe(0);
    expect(script.text()).toContain('AWS refused the result CONTINUE; retrying');
    expect(answers()).toHaveLength(2);
  });

  test('ends if the hook no longer waits for the host, as after a reboot', async () => {
    host.stub(
      'aws',
      'echo "ValidationError: No active Lifecycle Action found with x" >&2; exit 254',
    );
    page('/metrics', 200, formatMetrics(204));
    const script = admit();
    expect((await script.ended).code).toBe(0);
    expect(script.text()).toContain('the hook no longer waits for this host');
  });

  test('does nothing while the host is in no group, or the metadata does not respond', async () => {
    host.imds.values.delete('autoscaling/target-lifecycle-state');
    page('/metrics', 200, formatMetrics(204));
    const script = admit();
    await until(() => host.imds.requestCount() > 4);
    host.imds.setUnresponsive(true);
    const before = host.imds.requestCount();
    await until(() => host.imds.requestCount() > before + 2);
    expect(host.calls()).toEqual([]);
    host.imds.setUnresponsive(false);
    host.imds.values.set('autoscaling/target-lifecycle-state', 'InService');
    expect((await script.ended).code).toBe(0);
    expect(answers()).toEqual([answer('CONTINUE')]);
  });

  test('does nothing if no launch hook is named', async () => {
    const ended = await admit({ LAUNCH_HOOK_NAME: '' }).ended;
    expect(ended).toEqual({
      code: 0,
      text: 'launch-admission: the group has no launch hook; nothing to do\n',
    });
    expect(host.calls()).toEqual([]);
  });
});
