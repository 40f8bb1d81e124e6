import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSignals } from '../../../src/adapters/signals/http-signals.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { createCallBudget } from '../../../src/adapters/transport/budget.ts';
import { createTransport } from '../../../src/adapters/transport/transport.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { openSandbox, until } from '../hosts/running-sandbox.ts';

let world: Awaited<ReturnType<typeof openSandbox>>;
let cloudWatch: CloudWatch;
beforeEach(async () => {
  world = await openSandbox();
  cloudWatch = new CloudWatch({
    endpoint: world.sandbox.ssmUrl,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    maxAttempts: 1,
  });
});
afterEach(async () => {
  cloudWatch.destroy();
  await world.close();
});

async function setSignal(path: string, body: object): Promise<[number, string]> {
  const at = `${world.sandbox.url}/sandbox/signals/${path}`;
  const answer = await fetch(at, { method: 'PUT', body: JSON.stringify(body) });
  return [answer.status, await answer.text()];
}

/** Creates the adapter that a bake uses for its queries. */
function signals() {
  const [clock, redactor] = [createSystemClock(), createRedactor()];
  const transport = createTransport({
    clock,
    redactor,
    random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
    signal: () => new AbortController().signal,
    budget: createCallBudget({ clock }),
    limits: { attempts: 1 },
  });
  return createSignals({ transport, redactor, environment: {} });
}

const webhook = () => `${world.sandbox.url}/webhook`;
const question = { deployment: '101-5001', stack: 'linux', shard: 'purple' };
const read = (query = 'runner_errors') =>
  signals().readMetric({
    query,
    url: `${world.sandbox.url}/prometheus`,
    above: 0.05,
    forMs: 0,
    use: 'required',
  });

describe('the simulated Prometheus', () => {
  test('returns no series for an unknown query, and the configured ones for another', async () => {
    expect(await read()).toEqual({ doubts: [] });
    expect(await setSignal('queries', { query: 'runner_errors', says: '0.2' })).toEqual([204, '']);
    expect(await read()).toEqual({ highest: 0.2, series: '{}', doubts: [] });
    await setSignal('queries', { query: 'runner_errors', says: '+Inf' });
    expect(await read()).toMatchObject({ highest: Number.POSITIVE_INFINITY });
    await setSignal('queries', { query: 'runner_errors', says: 'NaN' });
    expect(await read()).toEqual({ doubts: [] });
  });

  test('returns several series, and reports an incomplete response', async () => {
    const series = [
      { metric: { instance: 'i-1' }, value: '0.01' },
      { metric: { instance: 'i-2' }, value: '0.3' },
    ];
    await setSignal('queries', { query: 'runner_errors', series, incomplete: true });
    expect(await read()).toEqual({
      highest: 0.3,
      series: '{instance="i-2"}',
      doubts: ['a store could not be reached'],
    });
  });

  test.each([
    ['refused', 'refused', 'query processing would load too many samples'],
    ['malformed', 'unexpected', ''],
  ])('the value %s causes an error', async (value, kind, words) => {
    await setSignal('queries', { query: 'runner_errors', says: value });
    await expect(read()).rejects.toMatchObject({ kind, detail: expect.stringContaining(words) });
  });

  test('refuses an empty query, and has no other path', async () => {
    const at = `${world.sandbox.url}/prometheus/api/v1`;
    const refused = await fetch(`${at}/query`);
    expect([refused.status, await refused.json()]).toMatchObject([400, { errorType: 'bad_data' }]);
    expect((await fetch(`${at}/status/config`)).status).toBe(404);
  });

  test('delays its response until the caller’s timeout', async () => {
    await setSignal('queries', { query: 'runner_errors', says: 'silent' });
    const over = new AbortController();
    const pending = fetch(`${world.sandbox.url}/prometheus/api/v1/query?query=runner_errors`, {
      signal: over.signal,
    });
    // Another query gets a response meanwhile.
    expect(await read('other')).toEqual({ doubts: [] });
    over.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('knows a number only after its next scrape', async () => {
    await world.close();
    world = await openSandbox({ windows: { scrapeMs: 15_000 } });
    await setSignal('queries', { query: 'runner_errors', says: '0.2' });
    expect(await read()).toEqual({ doubts: [] });
    world.sandbox.clock.advance(15_000);
    expect(await read()).toMatchObject({ highest: 0.2 });
    await setSignal('queries', { query: 'runner_errors', says: '0.9' });
    expect(await read()).toMatchObject({ highest: 0.2 });
    world.sandbox.clock.advance(15_000);
    expect(await read()).toMatchObject({ highest: 0.9 });
  });
});

describe('the simulated CloudWatch', () => {
  test('lists no alarm that is not configured', async () => {
    expect(await cloudWatch.describeAlarms({ AlarmNames: ['runner-errors'] })).toMatchObject({
      MetricAlarms: [],
      CompositeAlarms: [],
    });
  });

  test('returns the configured state, and lists a composite alarm only on request', async () => {
    await setSignal('alarms', { alarm: 'runner-errors', says: 'ALARM', reason: '7 errors' });
    await setSignal('alarms', { alarm: 'all', says: 'OK', kind: 'composite' });
    const both = { AlarmNames: ['runner-errors', 'all'] };
    const metric = await cloudWatch.describeAlarms(both);
    expect(metric.MetricAlarms).toMatchObject([
      { AlarmName: 'runner-errors', StateValue: 'ALARM', StateReason: '7 errors' },
    ]);
    expect(metric.MetricAlarms?.[0]?.StateUpdatedTimestamp).toBeInstanceOf(Date);
    expect(metric.CompositeAlarms).toEqual([]);
    const all = await cloudWatch.describeAlarms({
      ...both,
      AlarmTypes: ['CompositeAlarm', 'MetricAlarm'],
    });
    expect(all.CompositeAlarms).toMatchObject([{ AlarmName: 'all', StateValue: 'OK' }]);
    await setSignal('alarms', { alarm: 'lines', says: 'ALARM', kind: 'log' });
    const log = { AlarmNames: ['lines'], AlarmTypes: ['LogAlarm' as const] };
    expect((await cloudWatch.describeAlarms(log)).LogAlarms).toMatchObject([
      { AlarmName: 'lines', StateValue: 'ALARM' },
    ]);
    expect(await setSignal('alarms', { alarm: 'all', says: 'none' })).toEqual([204, '']);
    expect(await setSignal('alarms', { alarm: 'all', says: 'none' })).toEqual([
      404,
      '{"error":"There is no alarm \\"all\\"."}\n',
    ]);
  });

  test('returns pages', async () => {
    for (const alarm of ['a', 'b', 'c']) await setSignal('alarms', { alarm, says: 'OK' });
    const first = await cloudWatch.describeAlarms({ MaxRecords: 2 });
    expect(first.MetricAlarms).toHaveLength(2);
    const second = await cloudWatch.describeAlarms({ MaxRecords: 2, NextToken: first.NextToken });
    expect([second.MetricAlarms?.length, second.NextToken]).toEqual([1, undefined]);
    const strange = cloudWatch.describeAlarms({ NextToken: 'strange' });
    await expect(strange).rejects.toMatchObject({ name: 'InvalidNextToken' });
  });

  test('checks the caller’s permission', async () => {
    await world.close();
    world = await openSandbox({ admit: ({ action }) => action !== 'cloudwatch:DescribeAlarms' });
    cloudWatch.destroy();
    cloudWatch = new CloudWatch({
      endpoint: world.sandbox.ssmUrl,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
      maxAttempts: 1,
    });
    await expect(cloudWatch.describeAlarms({})).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });
});

describe('the simulated webhook', () => {
  test('returns 503 before it is configured, then the configured status', async () => {
    const ended = () => signals().askWebhook(webhook(), question);
    await expect(ended()).rejects.toMatchObject({ status: 503 });
    await setSignal('webhook', { says: '204' });
    expect(await ended()).toMatchObject({ kind: 'good' });
    await setSignal('webhook', { says: '412', body: 'too many errors' });
    expect(await ended()).toEqual({ kind: 'bad', detail: 'answered 412: too many errors' });
    const { asked: requests } = (await (
      await fetch(`${world.sandbox.url}/sandbox/signals`)
    ).json()) as {
      asked: unknown[];
    };
    expect(requests.at(-1)).toEqual(question);
  });

  test('can return invalid HTTP, or no response', async () => {
    await setSignal('webhook', { says: 'malformed' });
    await expect(signals().askWebhook(webhook(), question)).rejects.toBeDefined();
    await setSignal('webhook', { says: 'silent' });
    const over = new AbortController();
    const pending = fetch(webhook(), { method: 'POST', body: '{"at":1}', signal: over.signal });
    await until(() => world.sandbox.signals.webhookRequests().length === 2);
    over.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('the configured signals survive a restart, and an invalid value is refused', async () => {
  await setSignal('webhook', { says: '404' });
  const { folder } = world;
  await world.sandbox.stop();
  world = await openSandbox({ folder });
  expect(world.sandbox.signals.webhook()).toMatchObject({ status: 404 });
  for (const [path, body] of [
    ['webhook', { says: '99' }],
    ['alarms', { alarm: 'one', says: 'RED' }],
    ['queries', { query: 'one', says: 'many' }],
  ] as const)
    expect(await setSignal(path, body)).toEqual([400, expect.stringContaining('→ at says')]);
});
