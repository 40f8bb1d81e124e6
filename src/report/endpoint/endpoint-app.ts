import { isIP } from 'node:net';
import { Hono } from 'hono';
import { mapTexts } from '../../domain/output-schema.ts';
import type { ShardHealth } from '../../operator/health-checker.ts';
import { type Answer, healthAnswer, liveAnswer } from './endpoint-answers.ts';
import type { VerdictCache } from './verdict-cache.ts';

export interface EndpointOptions {
  readonly cache: Pick<VerdictCache<ShardHealth>, 'read'>;
  readonly runner: string;
  readonly everyMs: number;
  readonly redact: (text: string) => string;
  /** As they were given to `--allow-host`. */
  readonly allowedHosts: readonly string[];
}

/** `/health` for readiness and startup, `/live` for liveness, `/metrics`. Every answer is at hand. */
export function createEndpoint(options: EndpointOptions): Hono {
  const { cache, runner, redact, allowedHosts } = options;
  const app = new Hono();
  app.use(async (context, next) => {
    if (isOwnName(new URL(context.req.url).hostname, allowedHosts)) return next();
    return context.text(
      'Only an IP address, localhost and the names of --allow-host are answered. To be reached by this name, start it with --allow-host NAME.\n',
      421,
    );
  });
  const json = ({ status, body }: Answer) =>
    new Response(`${JSON.stringify(mapTexts(body, redact), undefined, 2)}\n`, {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
  app.get('/health', () => json(healthAnswer(cache.read(), options)));
  app.get('/live', () => json(liveAnswer(cache.read())));
  app.get('/metrics', async () => {
    const { exposeMetrics } = await import('./metrics.ts');
    const { contentType, text } = await exposeMetrics(cache.read(), runner);
    return new Response(redact(text), { headers: { 'content-type': contentType } });
  });
  app.notFound((context) => context.text('There is /health, /live and /metrics.\n', 404));
  return app;
}

/** A page of somebody else's whose name leads here has that name in its requests; an address cannot be borrowed so. */
function isOwnName(asked: string, allowed: readonly string[]): boolean {
  const name = asked.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return isIP(name) !== 0 || name === 'localhost' || allowed.includes(name);
}
