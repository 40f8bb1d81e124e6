import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { ShardHealth } from '../../src/operator/health-checker.ts';
import { createEndpoint } from '../../src/report/endpoint/endpoint-app.ts';
import { queryEndpoint } from '../../src/report/endpoint/endpoint-client.ts';
import { listen } from '../../src/report/endpoint/http-listener.ts';
import type { VerdictCache } from '../../src/report/endpoint/verdict-cache.ts';
import { type } from '../cli/commanding.ts';
import { everyMs, healthy, openEndpoint } from './probing.ts';

const anyPort = 'hosted-runner healthcheck --runner linux --listen 127.0.0.1:0';

const readExample = (name: string) =>
  parse(readFileSync(new URL(`../../examples/probes/${name}`, import.meta.url), 'utf8'));

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

interface Container {
  readonly command: string[];
  readonly env: { name: string; value?: string }[];
  readonly ports: { name: string; containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

const deployment = readExample('kubernetes.yaml');
const pod = deployment.spec.template.spec;
const container = pod.containers[0] as Container;
const environment = { HOSTED_RUNNER_RUNNER_NAME: 'linux' };

type Endpoint = ReturnType<typeof openEndpoint>;

/** Probes like the kubelet for `forMs`. 2xx and 3xx are successes, and failures count in a row. */
async function kubelet(endpoint: Endpoint, probe: Probe, forMs: number) {
  let failures = 0;
  let gaveUp = false;
  for (let passedMs = 0; passedMs < forMs; passedMs += probe.periodSeconds * 1000) {
    const { status } = await endpoint.get(probe.httpGet.path);
    const isGood = status >= 200 && status < 400;
    failures = isGood ? 0 : failures + 1;
    if (failures >= probe.failureThreshold) gaveUp = true;
    await endpoint.clock.pass(probe.periodSeconds * 1000);
  }
  return { ready: failures === 0, gaveUp };
}

const hour = 3_600_000;

describe('examples/probes/kubernetes.yaml', () => {
  test('contains a deployment whose parts refer to each other', () => {
    expect([deployment.apiVersion, deployment.kind]).toEqual(['apps/v1', 'Deployment']);
    expect(deployment.spec.selector.matchLabels).toEqual(deployment.spec.template.metadata.labels);
    const volumes = pod.volumes.map(({ name }: { name: string }) => name);
    const mounts = pod.containers[0].volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounts).toEqual(volumes);
    const [port] = container.ports;
    for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
      expect(probe.httpGet.port).toBe(port?.name);
    expect(container.command.join(' ')).toContain(`:${port?.containerPort} `);
  });

  test('starts the program with a valid command line', async () => {
    const [program, ...argv] = container.command;
    expect(program).toBe('hosted-runner');
    expect(await type(argv, environment)).toMatchObject({
      exit: 0,
      reached: {
        name: 'healthcheck',
        options: { listen: { host: '0.0.0.0', port: 8888 }, everyMs, runnerName: 'linux' },
      },
    });
  });

  test('makes a healthy shard ready, without a restart, with one check in 30s', async () => {
    const endpoint = openEndpoint();
    const { startupProbe, readinessProbe, livenessProbe } = container;
    expect(await kubelet(endpoint, startupProbe, 60_000)).toEqual({ ready: true, gaveUp: false });
    expect(await kubelet(endpoint, readinessProbe, hour)).toEqual({ ready: true, gaveUp: false });
    expect(await kubelet(endpoint, livenessProbe, hour)).toEqual({ ready: true, gaveUp: false });
    expect(endpoint.looks()).toBeLessThanOrEqual((2 * hour + 60_000) / everyMs + 1);
  });

  test('waits for a first check of five minutes', async () => {
    const endpoint = openEndpoint(() => new Promise(() => {}));
    expect(await kubelet(endpoint, container.startupProbe, 300_000)).toEqual({
      ready: false,
      gaveUp: false,
    });
  });

  test.each<[string, ShardHealth['status']]>([
    ['is unhealthy', 'unhealthy'],
    ['drains', 'draining'],
  ])('makes a shard that %s not ready, and restarts nothing', async (_, status) => {
    const endpoint = openEndpoint(async () => ({ ...healthy, status }));
    await endpoint.clock.pass(1000);
    expect(await kubelet(endpoint, container.readinessProbe, hour)).toMatchObject({ ready: false });
    expect(await kubelet(endpoint, container.livenessProbe, hour)).toEqual({
      ready: true,
      gaveUp: false,
    });
  });

  test('keeps the shard ready during a short network problem', async () => {
    const endpoint = openEndpoint();
    await endpoint.clock.pass(1000);
    endpoint.sees(() => Promise.reject(new Error('unreachable')));
    expect(await kubelet(endpoint, container.readinessProbe, 60_000)).toEqual({
      ready: true,
      gaveUp: false,
    });
  });
});

describe('examples/probes/compose.yaml', () => {
  const { command, healthcheck } = readExample('compose.yaml').services.health;

  test('listens and checks at the same address', async () => {
    const server = await type(command.slice(1), environment);
    const [form, program, ...argv] = healthcheck.test;
    expect([form, program, command[0]]).toEqual(['CMD', 'hosted-runner', 'hosted-runner']);
    const probe = await type(argv, environment);
    const listening = { host: '127.0.0.1', port: 8888 };
    expect(server.reached?.options).toMatchObject({ listen: listening });
    expect(probe.reached?.options).toMatchObject({ listen: listening, once: true });
  });
});

describe('--once as a container’s health check', () => {
  const startServer = (health: Partial<ShardHealth> | undefined) => {
    const found = health === undefined ? undefined : { ...healthy, ...health };
    const verdict = {
      health: found,
      checkedAt: 0,
      ageMs: 0,
      stalled: undefined,
      checks: 1,
      failures: 0,
      stopping: false,
    };
    const cache: Pick<VerdictCache<ShardHealth>, 'read'> = { read: () => verdict };
    const app = createEndpoint({
      cache,
      runner: 'linux',
      everyMs,
      allowedHosts: [],
      redact: (text) => text,
    });
    return listen(app, { host: '127.0.0.1', port: 0, anyPort });
  };
  // A real probe's five seconds are too short here: a loaded machine may stand still for longer.
  const patient: typeof fetch = (url, init) => fetch(url, { ...init, signal: null });
  const queryPort = (port: number) =>
    queryEndpoint({ host: '127.0.0.1', port, runner: 'linux', fetch: patient });

  test('reports that the shard is healthy', async () => {
    const listening = await startServer({});
    expect(await queryPort(listening.port)).toBe(
      `pink is healthy, reports http://127.0.0.1:${listening.port}/health`,
    );
    await listening.close(1000);
  });

  test.each<[string, Partial<ShardHealth> | undefined, string]>([
    ['an unhealthy shard', { status: 'unhealthy' }, 'A single check found that pink is unhealthy.'],
    ['a draining shard', { status: 'draining' }, 'A single check found that pink is draining.'],
    ['no check yet', undefined, 'A single check found that linux is starting.'],
  ])('fails for %s', async (_, health, expected) => {
    const listening = await startServer(health);
    await expect(queryPort(listening.port)).rejects.toMatchObject({
      code: 'NotHealthy',
      fields: { what: expected, exitCode: 1 },
    });
    await listening.close(1000);
  });

  test('fails if no endpoint listens, and refuses an address in use', async () => {
    const listening = await startServer({});
    const { host, port } = listening;
    const app = createEndpoint({
      cache: { read: () => ({}) as never },
      runner: 'linux',
      everyMs,
      allowedHosts: [],
      redact: (text) => text,
    });
    await expect(listen(app, { host, port, anyPort })).rejects.toMatchObject({
      code: 'AddressTaken',
      fields: { what: `Cannot listen on 127.0.0.1:${port} (EADDRINUSE).` },
    });
    await listening.close(1000);
    await expect(queryPort(port)).rejects.toMatchObject({ code: 'EndpointSilent' });
  });
});
