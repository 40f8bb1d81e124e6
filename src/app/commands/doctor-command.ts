import type { ClosableLog } from '../../adapters/system/log.ts';
import type { CommandExit, DoctorOptions } from '../../cli/handler-types.ts';
import { jsonDocument } from '../../domain/output-schema.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { Examined } from '../../operator/doctor/doctor.ts';
import { againOf, type StageContext } from '../../stages/context/context.ts';
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
import { questionOf } from '../question.ts';

/** Runs `doctor` for one stack or all. With `--fix`, it repairs faults with one possible fix. */
export async function showDoctor(program: Program, options: DoctorOptions): Promise<CommandExit> {
  const log = await program.openLog({
    eventFile: eventFileOf(options),
    quiet: !options.fix || options.json,
    plain: options.plain === true,
  });
  try {
    const stacks = await reportingFailure({ log, typed: program.typed }, () =>
      chooseStacks(program, options),
    );
    // One stack after another, because `--fix` prompts the operator.
    if (options.fix || stacks.length === 1) {
      const all: StackOutcome<Examined>[] = [];
      for (const settings of stacks) {
        const value = await examine(program, { options, settings, log });
        all.push({ settings, exit: 0, value });
      }
      printText(program, options, await render(program, all, options));
      return 0;
    }
    const examining = { name: 'doctor', stacks, onlyReads: true };
    const outcomes = await forEachStack(program, examining, (settings) =>
      examine(program, { options, settings, log }),
    );
    printText(program, options, await render(program, outcomes, options));
    return mostSerious(outcomes);
  } finally {
    log.close();
  }
}

async function examine(
  program: Program,
  { options, settings, log }: { options: DoctorOptions; settings: StackSettings; log: ClosableLog },
): Promise<Examined> {
  return reportingFailure({ log, typed: program.typed, runner: settings.runnerName }, async () => {
    const context = await openReading(program, settings, log, 'doctor');
    const examined = await runDoctor(program, options, context);
    const summary = examined.findings.map(({ code, title }) => `${code}: ${title}`);
    const { endEvent } = await import('../../report/event-file/run-lines.ts');
    log.event(endEvent({ result: { kind: 'done', summary } }));
    return examined;
  });
}

async function runDoctor(
  program: Program,
  { fix, yes }: DoctorOptions,
  context: StageContext,
): Promise<Examined> {
  if (!fix) {
    const { examineStack } = await import('../../operator/doctor/doctor.ts');
    return examineStack(context);
  }
  const { repairStack } = await import('../../operator/doctor/repair.ts');
  const { consentOf } = await import('../../operator/confirm.ts');
  const { addNowLine } = await import('../../stages/run/now-line.ts');
  const { asDeployError } = await import('../../errors/external-errors.ts');
  try {
    const { runnerName: runner } = context.settings;
    const prompt = questionOf(program, { command: 'doctor', runner });
    return await repairStack(context, consentOf(yes, prompt));
  } catch (error) {
    throw await addNowLine(context, asDeployError(error, againOf(context)));
  }
}

function printText({ write, show }: Program, { json }: DoctorOptions, text: string): void {
  if (json) write(text);
  else show(text);
}

async function render(
  program: Program,
  outcomes: readonly StackOutcome<Examined>[],
  options: DoctorOptions,
): Promise<string> {
  const { logs } = options;
  const { typed } = program;
  if (options.json) {
    const { toJson } = await import('../../operator/doctor/report.ts');
    return jsonDocument(stacksAsData(outcomes, (one) => toJson(one, { logs, typed })));
  }
  const { renderFindings } = await import('../../cli/terminal/findings-view.ts');
  const texts: string[] = [];
  for (const { value: one } of outcomes)
    if (one !== undefined)
      texts.push(await renderFindings(one, { logs, typed, columns: program.style().columns }));
  return texts.join('\n');
}
