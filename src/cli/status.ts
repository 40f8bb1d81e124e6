import type { StackSettings } from '../domain/settings.ts';
import type { StackReport } from '../operator/status.ts';
import type { StageContext } from '../stages/context.ts';
import type { ClosableLog } from '../system/log.ts';
import type { CommandExit, StatusOptions } from './actions.ts';
import type { CommandSurroundings } from './validate.ts';

interface StatusSurroundings extends CommandSurroundings {
  readonly signal: AbortSignal;
  readonly clock: { sleep(durationMs: number, signal?: AbortSignal): Promise<void> };
  openLog(options: { evidenceFile?: string | undefined; quiet?: boolean }): Promise<ClosableLog>;
}

const watchEveryMs = 5000;

export async function showStatus(
  options: StatusOptions,
  surroundings: StatusSurroundings,
  open: (settings: StackSettings, log: ClosableLog) => Promise<StageContext>,
): Promise<CommandExit> {
  const log = await surroundings.openLog({ evidenceFile: options.evidenceFile, quiet: true });
  try {
    const stacks = await chooseStacks(options, surroundings);
    for (;;) {
      const reports: StackReport[] = [];
      for (const settings of stacks) reports.push(await look(await open(settings, log)));
      surroundings.write(
        options.json ? `${JSON.stringify(reports, undefined, 2)}\n` : await render(reports),
      );
      if (!options.watch || surroundings.signal.aborted) return 0;
      try {
        await surroundings.clock.sleep(watchEveryMs, surroundings.signal);
      } catch {
        return 0;
      }
    }
  } catch (error) {
    const { endEvent } = await import('../evidence/run-lines.ts');
    const { asDeployError } = await import('../errors/world.ts');
    log.event(endEvent({ error: asDeployError(error, 'hosted-runner status') }));
    throw error;
  } finally {
    log.close();
  }
}

async function look(context: StageContext): Promise<StackReport> {
  const { reportStack } = await import('../operator/status.ts');
  const { endEvent } = await import('../evidence/run-lines.ts');
  const report = await reportStack(context);
  context.log.event(endEvent({ result: { kind: 'done', summary: headline(report) } }));
  return report;
}

async function chooseStacks(
  { runnerName, config, overrides }: StatusOptions,
  { folder, environment }: StatusSurroundings,
): Promise<readonly StackSettings[]> {
  const { loadConfiguration, selectStack } = await import('../config/load.ts');
  const configuration = await loadConfiguration({
    readFile: folder.read,
    path: config,
    environment,
    overrides,
  });
  return runnerName === undefined
    ? [...configuration.stacks.values()]
    : [selectStack(configuration, runnerName)];
}

async function render(reports: readonly StackReport[]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  return reports
    .map((report) => {
      const table = new Table({
        head: ['shard', 'role', 'registration', 'managers', 'jobs', 'hosts'],
        style: { head: [], border: [] },
      });
      for (const shard of report.shards) {
        const runners = shard.registrations;
        table.push([
          shard.shard,
          shard.role,
          runners
            .map(({ id, paused, tags }) => `${id}${paused ? ' paused' : ''} [${tags.join(', ')}]`)
            .join('\n') || 'none',
          runners
            .flatMap(({ managers }) => managers.map((one) => `${one.id} (${one.version})`))
            .join('\n') || 'none',
          shard.jobs.map(({ id, name, status }) => `${id} ${name} ${status}`).join('\n') || 'none',
          typeof shard.hosts === 'string'
            ? shard.hosts
            : shard.hosts.map(({ id, agent }) => `${id} ${agent}`).join('\n') || 'none',
        ]);
      }
      return `${headline(report).join('\n')}\n${table.toString()}\n`;
    })
    .join('\n');
}

function headline({ runner, now, deployment, lock, hold }: StackReport): string[] {
  return [
    `${runner}: ${now}`,
    deployment === null
      ? '  No deployment was ever recorded.'
      : `  Deployment ${deployment.id} (${deployment.kind}) by ${deployment.by}: ${deployment.phase} since ${deployment.phaseAt}`,
    ...(lock === null
      ? []
      : [`  Locked by job ${lock.job} of ${lock.deployment} since ${lock.since}`]),
    ...(hold === null ? [] : [`  HELD by ${hold.who} since ${hold.since}: ${hold.why}`]),
  ];
}
