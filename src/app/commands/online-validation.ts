import type { CommandExit, ValidateOptions } from '../../cli/handler-types.ts';
import type { StackSettings } from '../../domain/settings.ts';
import { openReading } from '../command-session.ts';
import { checkServer, probeServer } from '../compose/server-probe.ts';
import { exitsAsData, forEachStack, mostSerious } from '../many-stacks/stack-loop.ts';
import type { Program } from '../process-program.ts';

/** Probes credentials and permissions of all stacks. Returns the exit code, and data for JSON. */
export async function validateOnline(
  program: Program,
  stacks: readonly StackSettings[],
  { json }: ValidateOptions,
): Promise<{ readonly exit: CommandExit; readonly data: object }> {
  const probing = { name: 'validate', stacks, onlyReads: true };
  const outcomes = await forEachStack(program, probing, (settings) =>
    probeStack(program, settings, { json: json === true, isOnly: stacks.length === 1 }),
  );
  return { exit: mostSerious(outcomes), data: exitsAsData(outcomes) };
}

async function probeStack(
  program: Program,
  settings: StackSettings,
  { json, isOnly }: { readonly json: boolean; readonly isOnly: boolean },
): Promise<void> {
  const prefix = isOnly ? {} : { prefix: `${settings.runnerName}: ` };
  const log = await program.openLog({ quiet: json, plain: true, ...prefix });
  try {
    const { checkPrerequisites } = await import('../../operator/prerequisite-check.ts');
    if (settings.github === undefined) {
      const { answer } = await probeServer(settings, program);
      checkServer(await answer, { log, probes: true });
    }
    await checkPrerequisites(await openReading(program, settings, log, 'prepare'));
    log.act('✔ Nothing is missing for a deployment.');
  } finally {
    log.close();
  }
}
