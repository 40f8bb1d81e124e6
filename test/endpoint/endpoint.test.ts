import { describe, expect, test } from '@jest/globals';
import type { ShardHealth } from '../../src/operator/health-checker.ts';
import { everyMs, healthy, openEndpoint } from './probing.ts';

const ill: ShardHealth = { ...healthy, status: 'unhealthy', reasons: ['the process is stopped'] };
const never = () => new Promise<ShardHealth>(() => {});

describe('/health', () => {
  test('returns 503 until the first check has ended', async () => {
    const endpoint = openEndpoint(never);
    expect(await endpoint.health()).toEqual({
      status: 503,
      body: { status: 'starting', stalled: false, runner_name: 'linux', stopping: false },
    });
  });

  test('returns 200 for a healthy shard, with each component', async () => {
    const endpoint = openEndpoint();
    await endpoint.clock.pass(1000);
    expect(await endpoint.health()).toEqual({
      status: 200,
      body: {
        status: 'healthy',
        stalled: false,
        runner_name: 'linux',
        shard: 'pink',
        phase: 'done',
        reasons: ['the runner process runs on every host'],
        jobs: 2,
        components: {
          host: {
            state: 'good',
            required: true,
            detail: 'the runner process runs on every host',
            source: 'Run Command',
            at: '2026-11-02T08:00:00.000Z',
          },
        },
        checked_at: '2026-11-02T08:00:00.000Z',
        age_seconds: 1,
        stopping: false,
      },
    });
  });

  test.each(['unhealthy', 'draining'] as const)(
    'returns 503 for a shard that is %s',
    async (status) => {
      const endpoint = openEndpoint(async () => ({ ...healthy, status }));
      await endpoint.clock.pass(1000);
      expect(await endpoint.health()).toMatchObject({ status: 503, body: { status } });
    },
  );

  test('returns the last check, and a request starts none', async () => {
    const endpoint = openEndpoint();
    await endpoint.clock.pass(1000);
    for (let requests = 0; requests < 50; requests += 1) await endpoint.health();
    expect(endpoint.looks()).toBe(1);
    await endpoint.clock.pass(10 * everyMs);
    expect(endpoint.looks()).toBe(11);
  });

  test('repeats the check more often while the shard is unhealthy', async () => {
    const endpoint = openEndpoint(async () => ill);
    await endpoint.clock.pass(everyMs - 1);
    expect(endpoint.looks()).toBe(6);
    endpoint.sees(async () => healthy);
    await endpoint.clock.pass(5000);
    expect(await endpoint.health()).toMatchObject({ status: 200 });
  });

  test('keeps the last verdict for a while if the network stalls', async () => {
    const endpoint = openEndpoint();
    await endpoint.clock.pass(1000);
    endpoint.sees(() => Promise.reject(new Error('GitLab cannot be reached.')));
    await endpoint.clock.pass(everyMs);
    expect(await endpoint.health()).toMatchObject({
      status: 200,
      body: { status: 'healthy', stalled: true, stalled_because: 'GitLab cannot be reached.' },
    });
    await endpoint.clock.pass(3 * everyMs);
    expect(await endpoint.health()).toMatchObject({
      status: 503,
      body: { status: 'stalled', stalled: true },
    });
  });

  test('keeps an unhealthy verdict after an inconclusive check', async () => {
    const endpoint = openEndpoint(async () => ill);
    await endpoint.clock.pass(1000);
    endpoint.sees(async () => ({ ...healthy, status: 'inconclusive' }));
    await endpoint.clock.pass(everyMs);
    expect(await endpoint.health()).toMatchObject({
      status: 503,
      body: { status: 'unhealthy', stalled: true, reasons: ['the process is stopped'] },
    });
  });

  test('reports a check that hangs', async () => {
    const endpoint = openEndpoint();
    await endpoint.clock.pass(1000);
    endpoint.sees(never);
    await endpoint.clock.pass(4 * everyMs);
    expect(await endpoint.health()).toMatchObject({
      status: 503,
      body: { status: 'stalled', stalled_because: 'a check has not ended' },
    });
  });

  test('hides secrets, even in texts of other systems', async () => {
    const endpoint = openEndpoint(async () => ({ ...ill, reasons: ['token glrt-secret refused'] }));
    await endpoint.clock.pass(1000);
    expect((await endpoint.health()).body['reasons']).toEqual(['token [hidden] refused']);
  });

  test('returns valid JSON if a secret stands before a quote', async () => {
    const reason = 'bad call "glrt-secret"';
    const reasons = [reason, 'a secret that is "quoted"'];
    const endpoint = openEndpoint(
      async () => ({ ...ill, reasons }),
      (text) => text.replace(/"quoted"|glrt-secret[^ ]?/g, '[hidden]'),
    );
    await endpoint.clock.pass(1000);
    expect((await endpoint.health()).body['reasons']).toEqual([
      'bad call "[hidden]',
      'a secret that is [hidden]',
    ]);
  });
});

describe('/live', () => {
  test.each<[string, () => Promise<ShardHealth>]>([
    ['while jobs run', async () => healthy],
    ['while the shard drains', async () => ({ ...healthy, status: 'draining' })],
    ['while the shard is unhealthy', async () => ill],
    ['while a service does not respond', () => Promise.reject(new Error('unreachable'))],
    ['before the first check', never],
  ])('returns 200 %s', async (_, check) => {
    const endpoint = openEndpoint(check);
    await endpoint.clock.pass(1000);
    expect((await endpoint.get('/live')).status).toBe(200);
  });

  test('returns 200 while it stops, unlike /health', async () => {
    const endpoint = openEndpoint();
    await endpoint.clock.pass(1000);
    await endpoint.stop();
    expect((await endpoint.get('/live')).status).toBe(200);
    expect(await endpoint.health()).toMatchObject({ status: 503, body: { status: 'stopping' } });
  });
});

describe('/metrics', () => {
  test('returns OpenMetrics', async () => {
    const endpoint = openEndpoint();
    await endpoint.clock.pass(1500);
    const answer = await endpoint.get('/metrics');
    expect(answer.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    expect(
      await answer.text(),
    ).toBe(`# HELP hosted_runner_checks Checks of the shard since the start.
# TYPE hosted_runner_checks counter
hosted_runner_checks_total{runner="linux"} 1
# HELP hosted_runner_check_failures Checks that ended in an error.
# TYPE hosted_runner_check_failures counter
hosted_runner_check_failures_total{runner="linux"} 0
# HELP hosted_runner_stalled 1 if the shard cannot be checked now.
# TYPE hosted_runner_stalled gauge
hosted_runner_stalled{runner="linux"} 0
# HELP hosted_runner_check_age_seconds Age of the verdict.
# TYPE hosted_runner_check_age_seconds gauge
hosted_runner_check_age_seconds{runner="linux"} 1.5
# HELP hosted_runner_health 1 for the status of the shard.
# TYPE hosted_runner_health gauge
hosted_runner_health{shard="pink",status="healthy",runner="linux"} 1
hosted_runner_health{shard="pink",status="unhealthy",runner="linux"} 0
hosted_runner_health{shard="pink",status="inconclusive",runner="linux"} 0
hosted_runner_health{shard="pink",status="draining",runner="linux"} 0
# HELP hosted_runner_evidence 1 for the state of a kind of evidence.
# TYPE hosted_runner_evidence gauge
hosted_runner_evidence{shard="pink",kind="host",state="good",required="true",runner="linux"} 1
hosted_runner_evidence{shard="pink",kind="host",state="missing",required="true",runner="linux"} 0
hosted_runner_evidence{shard="pink",kind="host",state="bad",required="true",runner="linux"} 0
hosted_runner_evidence{shard="pink",kind="host",state="unknown",required="true",runner="linux"} 0
# HELP hosted_runner_jobs Jobs that the hosts list.
# TYPE hosted_runner_jobs gauge
hosted_runner_jobs{shard="pink",runner="linux"} 2
# EOF
`);
  });

  test('can be scraped before the first check, and repeatedly', async () => {
    const endpoint = openEndpoint(never);
    for (let scrape = 0; scrape < 3; scrape += 1) {
      expect(await (await endpoint.get('/metrics')).text()).toContain('# EOF');
    }
  });
});

test('other paths list the known ones', async () => {
  const answer = await openEndpoint().get('/healthz');
  expect([answer.status, await answer.text()]).toEqual([
    404,
    'The paths are /health, /live and /metrics.\n',
  ]);
});
