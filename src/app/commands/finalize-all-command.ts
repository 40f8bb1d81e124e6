import { join } from 'node:path';
import type { CommandExit, FinalizeAllOptions, StageOptions } from '../../cli/handler-types.ts';
import { jsonDocument } from '../../domain/output-schema.ts';
import type { StackSettings } from '../../domain/settings.ts';
import { inSession } from '../command-session.ts';
import { chooseStacks } from '../many-stacks/stack-choice.ts';
import { exitsAsData, forEachStack, mostSerious } from '../many-stacks/stack-loop.ts';
import type { Program } from '../process-program.ts';

/** Finishes the deployments of all stacks, for a schedule, and reports each result. */
export async function finalizeAll(
  program: Program,
  options: FinalizeAllOptions,
): Promise<CommandExit> {
  const stacks = await chooseStacks(program, options);
  const name = 'finalize';
  const outcomes = await forEachStack(program, { name, stacks }, (settings) =>
    inSession(
      {
        ...program,
        openLog: (chosen) => program.openLog({ ...chosen, prefix: prefixOf(settings) }),
      },
      { name, options: optionsOf(options, settings), settings },
      async (context) => {
        const { runStage } = await import('../../stages/run/run-stage.ts');
        return runStage(context, name);
      },
    ),
  );
  const bad = outcomes.filter(({ exit }) => exit !== 0);
  const listed = bad.map(({ settings, exit }) => `${settings.runnerName} (${exit})`).join(', ');
  const ended = `${outcomes.length - bad.length} of ${outcomes.length} stacks are finished`;
  if (options.json === true) program.write(jsonDocument(exitsAsData(outcomes), { lines: false }));
  else program.show(`${ended}${bad.length === 0 ? '' : `; with their exit codes: ${listed}`}.\n`);
  return mostSerious(outcomes);
}

function prefixOf({ runnerName }: StackSettings): string {
  return `${runnerName} | `;
}

function optionsOf(
  { reportDirectory, ...options }: FinalizeAllOptions,
  { runnerName }: StackSettings,
): StageOptions {
  const folder =
    reportDirectory === undefined ? {} : { reportDirectory: join(reportDirectory, runnerName) };
  return { ...options, ...folder, runnerName };
}
