import type { CommandExit, HealthcheckOptions } from '../../cli/handler-types.ts';
import { jsonDocument } from '../../domain/output-schema.ts';
import { counted } from '../../domain/text/count-text.ts';
import { commandOf } from '../../errors/fix-line.ts';
import type { StageContext } from '../../stages/context/context.ts';
import type { StageResult } from '../../stages/context/result.ts';
import { inSession } from '../command-session.ts';
import { chooseShard, chooseStack } from '../many-stacks/stack-choice.ts';
import type { Program } from '../process-program.ts';

const usualEveryMs = 30_000;
const closeWithinMs = 5000;

/** Collects evidence until a verdict, checks once, or runs an HTTP endpoint with checks. */
export async function runHealthcheckCommand(
  program: Program,
  options: HealthcheckOptions,
): Promise<CommandExit> {
  const { listen, once, runnerName, shard } = options;
  if (once === true && listen !== undefined) {
    if (shard !== undefined)
      await chooseShard(await chooseStack(program, options, runnerName), shard);
    const { queryEndpoint } = await import('../../report/endpoint/endpoint-client.ts');
    const { fetch } = globalThis;
    const message = await queryEndpoint({ ...listen, runner: runnerName, fetch });
    if (options.json === true) program.write(jsonDocument({ runner_name: runnerName, message }));
    else program.write(`${message}.\n`);
    return 0;
  }
  const session = {
    name: 'healthcheck',
    options,
    shard,
    lock: false,
    picture: listen === undefined,
  } as const;
  return inSession(program, session, async (context) => {
    if (listen !== undefined) return runEndpoint(program, context, { ...options, listen });
    if (once === true) return checkOnce(context, options);
    const { checkHealth } = await import('../../operator/check-health.ts');
    return checkHealth(context);
  });
}

async function checkOnce(context: StageContext, options: HealthcheckOptions): Promise<StageResult> {
  const { createChecker } = await import('../../operator/health-checker.ts');
  const found = await createChecker(context, await shardOf(context, options))();
  const { log } = context;
  for (const one of found.components)
    log.act(`${one.kind}: ${one.state}, ${one.detail} (${one.source})`);
  if (found.status === 'healthy')
    return { kind: 'done', summary: [`${found.shard} is healthy: ${found.reasons.join('; ')}`] };
  const { notHealthy } = await import('../../errors/healthcheck-errors.ts');
  throw notHealthy({ ...found, runner: options.runnerName });
}

async function shardOf({ settings }: StageContext, { shard }: HealthcheckOptions) {
  return shard === undefined ? undefined : chooseShard(settings, shard);
}

/** Runs the endpoint until it is cancelled, which counts as success. */
async function runEndpoint(
  program: Program,
  context: StageContext,
  options: HealthcheckOptions & { readonly listen: NonNullable<HealthcheckOptions['listen']> },
): Promise<StageResult> {
  const { everyMs = usualEveryMs, runnerName: runner } = options;
  const { redactor, signal, clock } = program;
  const [{ createChecker }, { createVerdictCache }, { createEndpoint }, { listen }] =
    await Promise.all([
      import('../../operator/health-checker.ts'),
      import('../../report/endpoint/verdict-cache.ts'),
      import('../../report/endpoint/endpoint-app.ts'),
      import('../../report/endpoint/http-listener.ts'),
    ]);
  const { asDeployError } = await import('../../errors/external-errors.ts');
  const explain = (error: unknown) => asDeployError(error, program.typed.again(runner)).fields.what;
  const check = createChecker(context, await shardOf(context, options));
  const cache = createVerdictCache({ check, clock, everyMs, explain });
  const { allowedHosts = [] } = options;
  const app = createEndpoint({ cache, runner, everyMs, allowedHosts, redact: redactor.redact });
  const anyPort = commandOf(
    { command: 'healthcheck', runner, more: '--listen 127.0.0.1:0' },
    program.typed,
  );
  const listening = await listen(app, { ...options.listen, anyPort });
  context.log.act(
    `Listening on http://${listening.host}:${listening.port}: /health /live /metrics.`,
  );
  try {
    await cache.run(signal);
  } finally {
    await listening.close(closeWithinMs);
  }
  const { checks } = cache.read();
  return { kind: 'done', summary: [`the endpoint was stopped after ${counted(checks, 'check')}`] };
}
