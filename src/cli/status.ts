import type { StackReport } from '../operator/status.ts';

/** A table for each stack, under what is going on with it. */
export async function renderReports(reports: readonly StackReport[]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  return reports
    .map((report) => {
      const words = report.registry;
      const table = new Table({
        head: ['shard', 'role', words.registration, words.managers, 'jobs', 'hosts'],
        style: { head: [], border: [] },
      });
      for (const shard of report.shards) {
        const runners = shard.registrations;
        table.push([
          shard.shard,
          shard.role,
          runners
            .map(
              ({ id, paused, tags }) =>
                `${id}${paused ? ` ${words.paused}` : ''} [${tags.join(', ')}]`,
            )
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

export function headline({ runner, now, deployment, lock, hold }: StackReport): string[] {
  return [
    `${runner}: ${now}`,
    deployment === null
      ? '  No deployment was ever recorded.'
      : `  Deployment ${deployment.id} (${deployment.kind}) by ${deployment.by}: ${deployment.phase} since ${deployment.phaseAt}`,
    ...(lock === null ? [] : [`  Locked by ${lock.by}`]),
    ...(hold === null ? [] : [`  HELD by ${hold.who} since ${hold.since}: ${hold.why}`]),
  ];
}
