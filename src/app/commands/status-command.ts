import type { ClosableLog } from '../../adapters/system/log.ts';
import type { CommandExit, StatusOptions } from '../../cli/handler-types.ts';
import { renderApiCalls } from '../../cli/terminal/api-calls.ts';
import { cropToWindow } from '../../cli/terminal/crop.ts';
import { headline, renderReports } from '../../cli/terminal/status-view.ts';
import { jsonDocument } from '../../domain/output-schema.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { StackReport } from '../../operator/status-report.ts';
import { openReading } from '../command-session.ts';
import { eventFileOf, reportingFailure } from '../event-output.ts';
import { chooseStacks } from '../many-stacks/stack-choice.ts';
import {
  forEachStack,
  mostSerious,
  type StackOutcome,
  stacksAsData,
} from '../many-stacks/stack-loop.ts';
import type { Program } from '../process-program.ts';

const watchEveryMs = 5000;

/** Runs `status` for one stack or all. `--watch` repeats it until a cancel or a closed output. */
export async function showStatus(program: Program, options: StatusOptions): Promise<CommandExit> {
  const log = await program.openLog({ eventFile: eventFileOf(options), quiet: true });
  try {
    const stacks = await reportingFailure({ log, typed: program.typed }, () =>
      chooseStacks(program, options),
    );
    return await show(program, { options, stacks, log });
  } finally {
    log.close();
  }
}

interface Showing {
  readonly options: StatusOptions;
  readonly stacks: readonly StackSettings[];
  readonly log: ClosableLog;
}

/** Prints the status of all stacks. A failed stack affects neither the others nor later checks. */
async function show(program: Program, { options, stacks, log }: Showing): Promise<CommandExit> {
  const frame = await openWatch(program, options);
  // In a watch, each check is one line of JSON.
  const lines = { lines: !options.watch };
  // A watch has no effects. It also ends without an error when its reader is gone (`| head`).
  const left = AbortSignal.any([program.signal, program.outputLost]);
  // A check that is interrupted by the end of the watch is dropped and has not failed.
  const isLeft = () => options.watch && left.aborted;
  for (;;) {
    const errors: string[] = [];
    const reportError = (text: string) => {
      if (isLeft()) return;
      if (frame === undefined) program.showError(text);
      else errors.push(text);
    };
    const reading = { name: 'status', stacks, onlyReads: true, print: reportError };
    const outcomes = await forEachStack(program, reading, (settings) =>
      readReport(program, settings, log),
    );
    if (isLeft()) {
      frame?.keep();
      return 0;
    }
    const reports = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value]));
    const usages = options.api ? program.budget.usage() : undefined;
    const api = usages === undefined ? {} : { api: usages };
    if (options.json)
      program.write(jsonDocument({ ...stacksAsData(outcomes, asData), ...api }, lines));
    else {
      const calls = usages === undefined ? '' : await renderApiCalls(usages, program.style());
      const text = [await renderReports(reports, program.style()), calls]
        .filter(Boolean)
        .join('\n');
      if (frame === undefined) program.show(text);
      else frame.draw(inWindow(program, text + errors.join(''), stacks.length));
    }
    if (!options.watch) return mostSerious(outcomes.map(exitOf));
    try {
      await program.clock.sleep(watchEveryMs, left);
    } catch {
      frame?.keep();
      return 0;
    }
  }
}

/** Crops the text to the window. The first stacks stay; a line explains how to see the others. */
function inWindow({ screen, dressed }: Program, text: string, stacks: number): string {
  const { columns = 80, rows = 24 } = screen ?? {};
  const narrower = stacks > 1 ? ', or name one stack with --runner' : '';
  return cropToWindow(dressed(text.trimEnd()).split('\n'), { columns, rows }, (missing) =>
    dressed(
      `… and ${missing} more line${missing === 1 ? '' : 's'}; make the window taller${narrower}`,
    ),
  );
}

/** Returns 1 if a source of the stack refused the request or did not respond. */
function exitOf({ exit, value }: StackOutcome<StackReport>): { exit: CommandExit } {
  return { exit: value !== undefined && value.unanswered.length > 0 ? 1 : exit };
}

function asData({ runner, ...report }: StackReport): object {
  return { runner_name: runner, ...report };
}

/** Opens a frame at a terminal, in which each check replaces the last one. */
async function openWatch({ screen, onPicture }: Program, { watch, json, plain }: StatusOptions) {
  if (!watch || json || plain === true || screen === undefined) return undefined;
  const { openFrame } = await import('../../adapters/system/frame.ts');
  const frame = await openFrame(screen);
  onPicture(frame.aside);
  return frame;
}

async function readReport(
  program: Program,
  settings: StackSettings,
  log: ClosableLog,
): Promise<StackReport> {
  return reportingFailure({ log, typed: program.typed, runner: settings.runnerName }, async () => {
    const { reportStack } = await import('../../operator/status-report.ts');
    const { endEvent } = await import('../../report/event-file/run-lines.ts');
    const report = await reportStack(await openReading(program, settings, log));
    log.event(endEvent({ result: { kind: 'done', summary: headline(report) } }));
    return report;
  });
}
