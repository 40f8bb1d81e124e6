import type { ShardHealth } from '../../src/operator/health-checker.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { createEndpoint } from '../../src/report/endpoint/endpoint-app.ts';
import { createVerdictCache } from '../../src/report/endpoint/verdict-cache.ts';

export const everyMs = 30_000;

export const healthy: ShardHealth = {
  shard: 'pink' as ShardHealth['shard'],
  status: 'healthy',
  phase: 'done',
  reasons: ['the runner process runs on every host'],
  jobs: 2,
  components: [
    {
      kind: 'host',
      state: 'good',
      required: true,
      detail: 'the runner process runs on every host',
      source: 'Run Command',
      at: '2026-11-02T08:00:00.000Z',
    },
  ],
};

/** Creates a clock whose time passes only by the test. */
export function createHandClock(): Clock & { pass(durationMs: number): Promise<void> } {
  let now = Date.parse('2026-11-02T08:00:00.000Z');
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    elapsed: () => now,
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ at: now + durationMs, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    async pass(durationMs) {
      const end = now + durationMs;
      for (;;) {
        await settled();
        const [next] = sleepers.filter(({ at }) => at <= end).sort((one, two) => one.at - two.at);
        if (next === undefined) break;
        sleepers = sleepers.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.wake();
      }
      now = end;
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Opens an endpoint whose checks the test controls. */
export function openEndpoint(
  first: () => Promise<ShardHealth> = async () => healthy,
  redact = (text: string) => text.replaceAll('glrt-secret', '[hidden]'),
) {
  const clock = createHandClock();
  const controller = new AbortController();
  let check = first;
  let checks = 0;
  const cache = createVerdictCache({
    clock,
    everyMs,
    check: () => {
      checks += 1;
      return check();
    },
    explain: (error) => (error as Error).message,
  });
  const app = createEndpoint({
    cache,
    runner: 'linux',
    everyMs,
    redact,
    allowedHosts: ['health.internal'],
  });
  const ended = cache.run(controller.signal);
  const get = async (path: string) => app.request(`http://127.0.0.1:8888${path}`);
  return {
    app,
    clock,
    looks: () => checks,
    sees: (next: () => Promise<ShardHealth>) => {
      check = next;
    },
    get,
    async health(): Promise<{ status: number; body: Record<string, unknown> }> {
      const answer = await get('/health');
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    stop: async () => {
      controller.abort(new Error('received SIGTERM'));
      await ended;
    },
  };
}
