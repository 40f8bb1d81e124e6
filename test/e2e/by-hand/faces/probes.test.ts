import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../../support/program.ts';
import type { Running } from '../world/running.ts';
import { openWorld, type World } from '../world/world.ts';

const limitMs = 1_200_000;
const kubernetes = readManifest<KubernetesManifest>('kubernetes.yaml');
const [pod] = kubernetes.spec.template.spec.containers;
const compose = readManifest<ComposeManifest>('compose.yaml').services.health;

describe('the probes of the manifests in examples/probes', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
  afterAll(() => world.close());

  /** Starts the command of a manifest, on any free port or on the given one. */
  function start(command: readonly string[], env: Record<string, string>, listen: string): Running {
    const [program, ...args] = command;
    expect(program).toBe('hosted-runner');
    const at = args.indexOf('--listen') + 1;
    expect(args[at]).toMatch(/:8888$/);
    return world.start({ args: args.with(at, listen), env });
  }

  const ports = { probes: pod.ports.find(({ name }) => name === 'probes')?.containerPort };
  const probe = async (
    address: string,
    { httpGet: { path, port }, timeoutSeconds }: Probe,
  ): Promise<number> => {
    expect(ports[port]).toBe(8888);
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    // A loaded machine may be late once, so the probe repeats like Kubernetes.
    const answer = await fetch(address + path, { signal }).catch(() => undefined);
    return answer?.status ?? probe(address, { httpGet: { path, port }, timeoutSeconds });
  };
  const probes = async (address: string) => ({
    startup: await probe(address, pod.startupProbe),
    readiness: await probe(address, pod.readinessProbe),
    liveness: await probe(address, pod.livenessProbe),
  });

  test('pass for a healthy shard; for an unhealthy one, all fail except liveness', async () => {
    const env = {
      HOSTED_RUNNER_RUNNER_NAME: environmentOf(pod)['HOSTED_RUNNER_RUNNER_NAME'] ?? '',
    };
    const endpoint = start(pod.command, env, '127.0.0.1:0');
    const address = await until('it listens', async () => addressIn(endpoint.text()));
    const healthy = { startup: 200, readiness: 200, liveness: 200 };
    await until('it is started', async () => (await probe(address, pod.startupProbe)) === 200);
    expect(await probes(address)).toEqual(healthy);

    const [kind, ...check] = compose.healthcheck.test;
    expect(kind).toBe('CMD');
    const once = () => start(check, env, address.replace('http://', '')).ended;
    expect(await once()).toMatchObject({ exitCode: 0 });

    const [host] = world.sandbox.fleet.list().filter(({ state }) => state === 'running');
    await world.sandbox.fleet.terminate(host?.id ?? '');
    await until('it is ill', async () => (await probe(address, pod.readinessProbe)) === 503);
    expect(await probes(address)).toEqual({ startup: 503, readiness: 503, liveness: 200 });
    expect(await once()).toMatchObject({ exitCode: 1, code: 'NotHealthy' });

    endpoint.kill('SIGTERM');
    expect(await endpoint.ended).toMatchObject({ exitCode: 0 });
    expect((await once()).exitCode).not.toBe(0);
  });

  test('use the same endpoint for docker’s health check and the service', () => {
    const { command, healthcheck, environment } = compose;
    const listen = (words: readonly string[]) => words[words.indexOf('--listen') + 1];
    expect(listen(healthcheck.test)).toBe(listen(command));
    expect(healthcheck.test).toContain('--once');
    expect(environment).toMatchObject({ HOSTED_RUNNER_RUNNER_NAME: 'linux' });
  });
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: 'probes' };
  readonly timeoutSeconds: number;
}

interface Container {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

interface KubernetesManifest {
  readonly spec: { readonly template: { readonly spec: { readonly containers: [Container] } } };
}

interface ComposeManifest {
  readonly services: {
    readonly health: {
      readonly command: readonly string[];
      readonly environment: Readonly<Record<string, string | null>>;
      readonly healthcheck: { readonly test: readonly string[] };
    };
  };
}

function readManifest<T>(name: string): T {
  return parse(readFileSync(join(root, 'examples/probes', name), 'utf8')) as T;
}

function environmentOf({ env }: Container): Record<string, string> {
  return Object.fromEntries(
    env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
}

function addressIn(text: string): string | undefined {
  return /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
}

async function until<Value>(
  what: string,
  findValue: () => Promise<Value | undefined | false>,
): Promise<Value> {
  const startedAt = performance.now();
  for (;;) {
    const found = await findValue();
    if (found !== undefined && found !== false) return found;
    if (performance.now() - startedAt > limitMs) throw new Error(`never came to: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
