import { setMaxListeners } from 'node:events';
import type { CommandExit, DashboardOptions } from '../../cli/handler-types.ts';
import type { StackSettings } from '../../domain/settings.ts';
import { counted } from '../../domain/text/count-text.ts';
import { printable } from '../../domain/text/show.ts';
import { commandOf, lineOf } from '../../errors/fix-line.ts';
import { snapshotUnwritable } from '../../errors/output-errors.ts';
import { systemReason } from '../../errors/system-reason.ts';
import type { StackReport } from '../../operator/status-report.ts';
import type { DashboardFacts, DashboardTrouble } from '../../report/dashboard/dashboard-facts.ts';
import type { StackWatch } from '../../report/dashboard/stack-watch.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { openReading } from '../command-session.ts';
import { chooseStacks } from '../many-stacks/stack-choice.ts';
import type { Program } from '../process-program.ts';

const host = '127.0.0.1';
const usualPort = 8890;
const usualEveryMs = 30_000;
const closeWithinMs = 2000;
/** Time limit for a stack in a file. It is longer than for a page that an operator waits for. */
const onceLimitMs = 300_000;

/** Shows all configured stacks on one page: over HTTP until cancelled, or in a file (`--once`). */
export async function showDashboard(
  program: Program,
  options: DashboardOptions,
): Promise<CommandExit> {
  const stacks = await chooseStacks(program, options);
  return options.once === undefined
    ? runDashboard(program, stacks, options)
    : write(program, stacks, options.once);
}

async function runDashboard(
  program: Program,
  stacks: readonly StackSettings[],
  { port = usualPort, everyMs = usualEveryMs }: DashboardOptions,
): Promise<CommandExit> {
  const { signal } = program;
  const [{ createDashboard }, { listen }] = await Promise.all([
    import('../../report/dashboard/dashboard-app.ts'),
    import('../../report/endpoint/http-listener.ts'),
  ]);
  const watches = await watch(program, { stacks, everyMs });
  const app = createDashboard({ read: await reading(program, watches), everyMs });
  const anyPort = commandOf({ command: 'dashboard', more: '--port 0' }, program.typed);
  const listening = await listen(app, { host, port, anyPort });
  program.show(
    `Listening on http://${host}:${listening.port}/: ${counted(stacks.length, 'stack')}, until Ctrl-C.\n`,
  );
  try {
    await Promise.all(watches.map((one) => one.run(signal)));
  } finally {
    await listening.close(closeWithinMs);
  }
  return 0;
}

async function write(
  program: Program,
  stacks: readonly StackSettings[],
  path: string,
): Promise<CommandExit> {
  const { renderDashboard } = await import('../../report/dashboard/page.ts');
  const late = new AbortController();
  const signal = AbortSignal.any([program.signal, late.signal]);
  // All open requests of all stacks listen to this signal.
  setMaxListeners(0, signal);
  const watches = await watch({ ...program, signal }, { stacks, everyMs: usualEveryMs });
  await Promise.all(watches.map((one) => one.checkOnce(onceLimitMs)));
  program.signal.throwIfAborted();
  const facts = (await reading(program, watches))();
  // Cancels requests that are still open.
  late.abort(new Error('the page is written'));
  const text = renderDashboard(facts, { kind: 'file' });
  await program.folder.write({ path, text, overwrite: true }).catch((error: unknown) => {
    throw snapshotUnwritable({ file: printable(path), reason: systemReason(error) });
  });
  const unread = facts.stacks.filter(({ trouble }) => trouble !== undefined);
  program.show(
    `Wrote ${printable(path)}: ${facts.stacks.length - unread.length} of ${counted(stacks.length, 'stack')} could be read.\n`,
  );
  for (const { runner, trouble } of unread) program.showError(`! ${runner}: ${trouble?.what}\n`);
  return 0;
}

async function watch(
  program: Program,
  { stacks, everyMs }: { stacks: readonly StackSettings[]; everyMs: number },
): Promise<readonly StackWatch[]> {
  const { createStackWatch, doctorLine } = await import('../../report/dashboard/stack-watch.ts');
  const { asDeployError } = await import('../../errors/external-errors.ts');
  const { typed } = program;
  return stacks.map((settings) => {
    const { runnerName: runner } = settings;
    const explain = (error: unknown): DashboardTrouble => {
      const again = commandOf({ command: 'status', runner }, typed);
      const { code, what, why, now, fix } = asDeployError(error, again).asTyped(typed).fields;
      return {
        code,
        what,
        ...(why === undefined ? {} : { why }),
        ...(now === undefined ? {} : { now }),
        fix: fix ?? [lineOf(doctorLine(runner), typed)],
      };
    };
    return createStackWatch({
      runner,
      readReport: createStatusCheck(program, settings),
      clock: program.clock,
      everyMs,
      explain,
      typed,
    });
  });
}

/**
 * Creates the status check of a stack. All checks share one session; after a failed opening, the
 * next check opens it.
 */
function createStatusCheck(program: Program, settings: StackSettings): () => Promise<StackReport> {
  let context: StageContext | undefined;
  return async () => {
    const { reportStack } = await import('../../operator/status-report.ts');
    context ??= await openReading(program, settings, await program.openLog({ quiet: true }));
    return reportStack(context);
  };
}

/** Returns the facts without secrets. The redactor knows the secrets of all stacks by then. */
async function reading(
  { clock, redactor }: Program,
  watches: readonly StackWatch[],
): Promise<() => DashboardFacts> {
  const { scrub } = await import('../../adapters/transport/words/scrub.ts');
  return () => ({
    now: clock.now(),
    stacks: scrub(
      watches.map((one) => one.read()),
      redactor.redact,
    ),
  });
}
