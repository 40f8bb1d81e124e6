import { chooseStacks } from './chosen-stacks.ts';
import type { CommandExit, StatusOptions } from './cli/actions.ts';
import { headline, renderReports } from './cli/status.ts';
import { evidenceFileOf, tellingFailure } from './evidence-file.ts';
import { openReading } from './in-session.ts';
import type { StackReport } from './operator/status.ts';
import type { Program } from './program.ts';
import type { StageContext } from './stages/context.ts';
import type { ClosableLog } from './system/log.ts';

const watchEveryMs = 5000;

/** `status` for one stack or all, once or again and again until it is told to stop. */
export async function showStatus(program: Program, options: StatusOptions): Promise<CommandExit> {
  const log = await program.openLog({ evidenceFile: evidenceFileOf(options), quiet: true });
  try {
    await tellingFailure(log, 'hosted-runner status', () => show(program, options, log));
    return 0;
  } finally {
    log.close();
  }
}

async function show(program: Program, options: StatusOptions, log: ClosableLog): Promise<void> {
  const stacks = await chooseStacks(program, options);
  for (;;) {
    const reports: StackReport[] = [];
    for (const settings of stacks)
      reports.push(await look(await openReading(program, settings, log)));
    program.write(
      options.json ? `${JSON.stringify(reports, undefined, 2)}\n` : await renderReports(reports),
    );
    if (!options.watch || program.signal.aborted) return;
    try {
      await program.clock.sleep(watchEveryMs, program.signal);
    } catch {
      return;
    }
  }
}

async function look(context: StageContext): Promise<StackReport> {
  const { reportStack } = await import('./operator/status.ts');
  const { endEvent } = await import('./evidence/run-lines.ts');
  const report = await reportStack(context);
  context.log.event(endEvent({ result: { kind: 'done', summary: headline(report) } }));
  return report;
}
